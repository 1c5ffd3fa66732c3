// `npm run build` packs the program: about thirty files instead of five hundred, each with V8's compiled code beside it,
// so that a command starts in a quarter of the time. `bin/oja.js` runs the packed program.
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { parseSync } from 'rolldown/utils';
import { keepCompiled } from '../bin/code-cache.js';

const ROOM = join(import.meta.dirname, '..');
const ROOT = join(ROOM, '..');
const PACK = join(ROOM, 'dist-program');

/**
 * Packages that are not bundled: those with a native binary or threads of their own, and the clients of the server
 * engines, which are large and load only when configured.
 */
const LEFT_OUT =
  /^(@aws-sdk|@eventstore|@kurrent|@libsql|@node-rs|@opentelemetry|@smithy|bullmq|ioredis|mongodb|pino|sharp)(\/|$|-)/;

/** Modules that must load little code: the help, the completion, the schemas, and (added below) worker threads. */
const apart = ['main', 'commands/schema', 'commands/completion'].map((name) =>
  join(ROOM, `dist/${name}.js`),
);

/**
 * Keeps each module's original `import.meta.url`, because assets and the web pages are found relative to it. A module
 * that runs in a worker thread becomes a chunk of its own.
 */
const standing = {
  name: 'standing',
  transform: {
    filter: { id: /\/dist\//, code: 'import.meta.url' },
    handler(code, id) {
      const there = relative(PACK, id).replaceAll('\\', '/');
      const url = `new URL(${JSON.stringify(there)}, import.meta.url).href`;
      const placed = code.replace(/(?:'(\.\/[\w-]+\.js)', )?import\.meta\.url/g, (_, path) => {
        if (path === undefined) return url;
        const thread = join(dirname(id), path);
        const fileName = relative(ROOT, thread)
          .replace('dist', '')
          .replaceAll(/[\\/]+/g, '-');
        apart.push(thread);
        this.emitFile({ type: 'chunk', id: thread, fileName });
        return `'./${fileName}', import.meta.url`;
      });
      return { code: placed, map: null };
    },
  },
};

/**
 * How libsql finds its binary without a report about the whole process, which takes a tenth of a start: said to be for
 * musl, it looks itself whether this Linux has glibc instead, and takes that binary.
 */
const quickTarget = {
  name: 'quick-target',
  resolveId: {
    filter: { id: /^@neon-rs\/load$/ },
    handler: () => ({ id: 'quick-target', moduleSideEffects: false }),
  },
  load: {
    filter: { id: /^quick-target$/ },
    handler: () => `
      const suffixes = { linux: process.arch === 'arm' ? '-gnueabihf' : '-musl', win32: '-msvc' };
      export const currentTarget = () => process.platform + '-' + process.arch + (suffixes[process.platform] ?? '');
      export const load = () => null;
    `,
  },
};

/** Fails the build when an unbundled package resolves to another version from the pack than from its importer. */
const sameFromHere = {
  name: 'same-from-here',
  resolveId: {
    filter: { id: LEFT_OUT },
    async handler(name, importer) {
      const found = (from) => createRequire(pathToFileURL(from)).resolve(name);
      if (importer !== undefined && found(importer) !== found(join(PACK, 'main.js')))
        throw new Error(`${name} is another one beside ${importer} than beside the program.`);
      return { id: name, external: true };
    },
  },
};

/**
 * Requires an unbundled package where a module imports it only once it is needed: a script whose compiled code was kept
 * cannot call `import()`.
 */
const requiredLater = {
  name: 'required-later',
  transform: {
    filter: { id: { include: /\/dist\//, exclude: /node_modules/ }, code: "import('" },
    handler: (code) => ({
      code: code.replace(/\bimport\('([^'.][^']*)'\)/g, (whole, name) =>
        LEFT_OUT.test(name)
          ? `Promise.resolve(require('${name}')).then((it) => ({ default: it, ...it }))`
          : whole,
      ),
      map: null,
    }),
  },
};

/** The file of one of our own modules; null for other packages. */
function fileOf(name, importer) {
  if (name.startsWith('.')) return join(dirname(importer), name);
  return name.startsWith('@oja/') ? realpathSync(fileURLToPath(import.meta.resolve(name))) : null;
}

const exported = new Map();

/** For each name that one of our modules exports: the file that defines it, and its name there. */
function exportsOf(file) {
  const known = exported.get(file);
  if (known !== undefined) return known;
  const names = new Map();
  exported.set(file, names);
  for (const statement of parseSync(file, readFileSync(file, 'utf8')).program.body) {
    const { type, source, declaration } = statement;
    const from = source ? fileOf(source.value, file) : null;
    if (type === 'ExportAllDeclaration')
      for (const [name, place] of exportsOf(from)) names.set(name, place);
    if (type !== 'ExportNamedDeclaration') continue;
    for (const { local, exported: as } of statement.specifiers)
      names.set(as.name, from ? exportsOf(from).get(local.name) : { file, name: as.name });
    const ids = (declaration?.declarations ?? [declaration]).flatMap((each) => each?.id ?? []);
    for (const id of ids.flatMap((id) => id.properties?.map(({ value }) => value) ?? id))
      names.set(id.name, { file, name: id.name });
  }
  return names;
}

/**
 * Imports each name directly from the module that defines it: through a room's index a command would load the whole
 * room. The bundler's own means, `sideEffects` and `lazyBarrel`, leave `oja status` 1.3 times slower.
 */
const direct = {
  name: 'direct',
  transform: {
    filter: { id: { include: /\/dist\//, exclude: /node_modules/ } },
    handler(code, id) {
      const told = code.replace(/^import \{([^}]*)\} from '([^']+)';/gm, (whole, names, from) => {
        const index = fileOf(from, id);
        if (index === null) return whole;
        return names
          .split(',')
          .filter((name) => name.trim() !== '')
          .map((name) => {
            const [there, here = there] = name.trim().split(' as ');
            const place = exportsOf(index).get(there);
            if (!place) throw new Error(`${there} of ${from} is not found for ${id}`);
            return `import { ${place.name} as ${here} } from ${JSON.stringify(place.file)};`;
          })
          .join(' ');
      });
      return { code: told, map: null };
    },
  },
};

/** Adds a module and everything that it imports to a set. `infoOf` tells the imports of a module. */
function addImported(to, id, infoOf) {
  if (to.has(id)) return;
  to.add(id);
  for (const next of infoOf(id)?.importedIds ?? []) addImported(to, next, infoOf);
}

/** What the modules in `apart` are made of, and what `oja status` is, which is run most often. */
const [readApart, readByStatus] = [new Set(), new Set()];
const seesImports = {
  name: 'sees-imports',
  buildEnd() {
    const infoOf = (id) => this.getModuleInfo(id);
    for (const id of apart) addImported(readApart, id, infoOf);
    addImported(readByStatus, join(ROOM, 'dist/commands/status/index.js'), infoOf);
  },
};

/**
 * Modules that this many chunks import go into one of two shared files, by whether the status reads them: opening many
 * files is slower than one large one.
 */
const SHARED_BY = 8;
const shared = (name, test) => ({
  name,
  minShareCount: SHARED_BY,
  test: (id) => !readApart.has(id) && test(id),
});

const program = await rolldown({
  input: join(ROOM, 'dist/main.js'),
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  plugins: [direct, standing, requiredLater, quickTarget, sameFromHere, seesImports],
  checks: { eval: false },
});

// Compiled code of an earlier build would be taken for that of a new file with as many letters.
if (existsSync(PACK))
  for (const name of readdirSync(PACK)) if (name.endsWith('.cache')) rmSync(join(PACK, name));
const { output } = await program.write({
  dir: PACK,
  // V8's compiled code can be kept for CommonJS modules only.
  format: 'cjs',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  sourcemap: true,
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      shared('shared', (id) => readByStatus.has(id)),
      shared('shared-more', (id) => !readByStatus.has(id)),
    ],
  },
});
await program.close();

writeFileSync(join(PACK, 'package.json'), JSON.stringify({ type: 'commonjs' }));

// A market that runs during the build may still load chunks of the pack it was started from: keep the previous ones.
const LIST = join(PACK, 'packed.json');
const before = existsSync(LIST) ? JSON.parse(readFileSync(LIST, 'utf8')) : [];
const now = output.map(({ fileName }) => fileName);
const kept = new Set(['package.json', 'packed.json', ...before, ...now]);
for (const name of readdirSync(PACK)) if (!kept.has(name)) rmSync(join(PACK, name));
writeFileSync(LIST, JSON.stringify(now));

// What is left of `import()` loads a module whose name a worker thread is given.
const isScript = ({ type, fileName, code }) =>
  type === 'chunk' && parseSync(fileName, code).module.dynamicImports.length === 0;
for (const file of output.filter(isScript)) keepCompiled(join(PACK, file.fileName));
