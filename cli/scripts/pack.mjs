// `npm run build` packs the program: what a command reads of five hundred files stands in some twenty then, and a
// command starts in half the time. `bin/oja.js` runs it.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const ROOM = join(import.meta.dirname, '..');
const ROOT = join(ROOM, '..');
const PACK = join(ROOM, 'dist-program');

/**
 * Stay packages: what has a binary or threads of its own, and the clients of the server engines, which are large and
 * read only where they are configured.
 */
const LEFT_OUT =
  /^(@aws-sdk|@eventstore|@kurrent|@node-rs|@opentelemetry|@smithy|bullmq|ioredis|libsql|mongodb|pino|sharp)(\/|$|-)/;

/**
 * A module goes on knowing where it stood, since its assets and the web pages are found from there. What it runs in a
 * thread is packed like itself.
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
        this.emitFile({ type: 'chunk', id: thread, fileName });
        return `'./${fileName}', import.meta.url`;
      });
      return { code: placed, map: null };
    },
  },
};

/** A package that stays one is looked for from here, where another version of it must not be found. */
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

const program = await rolldown({
  input: join(ROOM, 'dist/main.js'),
  platform: 'node',
  plugins: [standing, sameFromHere],
  checks: { eval: false },
});
const { output } = await program.write({
  dir: PACK,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  sourcemap: true,
});
await program.close();

// A market that runs while it is built anew reads what it has not yet read of the pack it was started from.
const LIST = join(PACK, 'packed.json');
const before = existsSync(LIST) ? JSON.parse(readFileSync(LIST, 'utf8')) : [];
const now = output.map(({ fileName }) => fileName);
const kept = new Set(['packed.json', ...before, ...now]);
for (const name of readdirSync(PACK)) if (!kept.has(name)) rmSync(join(PACK, name));
writeFileSync(LIST, JSON.stringify(now));
