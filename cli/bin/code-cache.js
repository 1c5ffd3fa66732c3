import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

// Node 22.8 can keep compiled code by itself (`module.enableCompileCache`), but Node 20 cannot. And a cache that the
// build has made is there at the first start, and in a folder that nobody may write to.

/** The file beside a CommonJS module that holds V8's compiled code of it. */
export const cacheOf = (path) => `${path}.cache`;

/**
 * A CommonJS module as a script, whose value is the function that Node calls. V8 refuses compiled code that another
 * version made, and compiles anew.
 */
export const scriptOf = (path, cachedData) =>
  new Script(
    `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, 'utf8')}\n})`,
    { filename: path, cachedData },
  );

function run(script, module, path) {
  script
    .runInThisContext()
    .call(module.exports, module.exports, createRequire(path), module, path, dirname(path));
  return module.exports;
}

/**
 * Each character beyond ASCII, with the backslash that escapes it, and each other escape, which stays: of two backslashes
 * before such a character, none escapes it.
 */
const FOREIGN = /\\?[^\0-\x7f]|\\[\0-\x7f]/g;

/** A character beyond ASCII, as an escape that JavaScript reads as the same character in a text or a pattern. */
function escaped(found) {
  const code = found.charCodeAt(found.length - 1);
  return code < 0x80 ? found : `\\u${code.toString(16).padStart(4, '0')}`;
}

/**
 * Writes a module of a build anew in ASCII alone. V8 holds a text of which one character is beyond Latin-1 in two bytes
 * for each: to read such a module takes twice as long, and twice the memory for as long as the market runs.
 */
function rewriteInAscii(path) {
  const text = readFileSync(path, 'utf8');
  const ascii = text.replace(FOREIGN, escaped);
  if (ascii !== text) writeFileSync(path, ascii);
}

/** Compiles a module of a build with all its functions, and keeps the result for `useCompiled`. */
export function keepCompiled(path) {
  rewriteInAscii(path);
  setFlagsFromString('--no-lazy');
  const script = scriptOf(path);
  // Code that was kept under this flag would be refused by every process without it.
  setFlagsFromString('--lazy');
  writeFileSync(cacheOf(path), script.createCachedData());
}

/**
 * Keeps the compiled code of a large module of which little is needed: that of the functions which run while it is
 * loaded and then used.
 * @param use is given the exports of the module
 */
export async function keepUsed(path, use) {
  rewriteInAscii(path);
  const script = scriptOf(path);
  await use(run(script, { exports: {} }, path));
  writeFileSync(cacheOf(path), script.createCachedData());
}

/** The compiled code of a module; undefined where none was kept, or a build is just replacing it. */
function keptOf(path) {
  try {
    return readFileSync(cacheOf(path));
  } catch {
    return undefined;
  }
}

/**
 * From now on, `require` takes compiled code from beside the modules of some folders, where there is any: to compile them
 * is a third of what a short command does.
 */
export function useCompiled(...folders) {
  // To translate stack traces by source maps, Node must compile the modules itself.
  if (process.sourceMapsEnabled) return;
  const { extensions } = createRequire(import.meta.url);
  const load = extensions['.js'];
  extensions['.js'] = (module, path) => {
    const isBuilt = folders.some((folder) => path.startsWith(folder + sep));
    const kept = isBuilt ? keptOf(path) : undefined;
    if (kept === undefined) load(module, path);
    else run(scriptOf(path, kept), module, path);
  };
}
