// `npm run build` packs the program: what a command reads of five hundred files stands in some thirty then, and a
// command starts in half the time. `bin/oja.js` runs it.
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

const ROOM = join(import.meta.dirname, '..');
const ROOT = join(ROOM, '..');
const PACK = join(ROOM, 'dist-program');

/**
 * Stay packages: what has a binary or threads of its own, and the clients of the server engines, which are large and
 * read only where they are configured.
 */
const LEFT_OUT =
  /^(@aws-sdk|@eventstore|@kurrent|@node-rs|@opentelemetry|@smithy|bullmq|ioredis|libsql|mongodb|pino|sharp)(\/|$|-)/;

/** What is to read little: the help, the completion and the schemas; and what runs in a thread. */
const apart = ['main', 'commands/schema', 'commands/completion'].map((name) =>
  join(ROOM, `dist/${name}.js`),
);

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
        apart.push(thread);
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

/** The file of a module of ours; null of others. */
function fileOf(name, importer) {
  if (name.startsWith('.')) return join(dirname(importer), name);
  return name.startsWith('@oja/') ? realpathSync(fileURLToPath(import.meta.resolve(name))) : null;
}

const exported = new Map();

/** Of each name that a module of ours exports: the module that has it, and its name there. */
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
 * Each name is read from the module that has it: by way of its room's index a command would read all of the room. The
 * bundler's own ways, `sideEffects` and `lazyBarrel`, leave `status` 1.3 times slower.
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

/** All that those read. */
const readApart = new Set();
const seesApart = {
  name: 'sees-apart',
  buildEnd() {
    const see = (id) => {
      if (readApart.has(id)) return;
      readApart.add(id);
      for (const next of this.getModuleInfo(id)?.importedIds ?? []) see(next);
    };
    for (const id of apart) see(id);
  },
};

/** What so many parts of the program read is one file: to find and open files takes longer than to read a large one. */
const SHARED_BY = 8;

const program = await rolldown({
  input: join(ROOM, 'dist/main.js'),
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  plugins: [direct, standing, sameFromHere, seesApart],
  checks: { eval: false },
});
const { output } = await program.write({
  dir: PACK,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  sourcemap: true,
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ name: 'shared', minShareCount: SHARED_BY, test: (id) => !readApart.has(id) }],
  },
});
await program.close();

// A market that runs while it is built anew reads what it has not yet read of the pack it was started from.
const LIST = join(PACK, 'packed.json');
const before = existsSync(LIST) ? JSON.parse(readFileSync(LIST, 'utf8')) : [];
const now = output.map(({ fileName }) => fileName);
const kept = new Set(['packed.json', ...before, ...now]);
for (const name of readdirSync(PACK)) if (!kept.has(name)) rmSync(join(PACK, name));
writeFileSync(LIST, JSON.stringify(now));
