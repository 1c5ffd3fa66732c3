import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { openMarket, temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const root = join(import.meta.dirname, '../..');
const text = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;
/** Writes the address of each module that Node reads into the file of `MODULES_READ`. */
const hooks = text(`import { appendFileSync } from 'node:fs';
export function load(url, context, next) {
  appendFileSync(process.env.MODULES_READ, url + '\\n');
  return next(url, context);
}`);
/** At its end, a process adds the modules that `require` has read: the packed program and what it has not packed. */
const watcher = text(`import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
register(${JSON.stringify(hooks)}, import.meta.url);
const { cache } = createRequire(process.execPath);
process.on('exit', () => {
  for (const path of Object.keys(cache))
    appendFileSync(process.env.MODULES_READ, pathToFileURL(path) + '\\n');
});`);

/** The modules that were packed into a file; the file itself where it is none of the packed program. */
function packedIn(file: string): readonly string[] {
  const map = `${file}.map`;
  if (!file.includes('/dist-program/') || !existsSync(map)) return [file];
  const { sources }: { sources: string[] } = JSON.parse(readFileSync(map, 'utf8'));
  return sources.map((path) => join(dirname(file), path));
}

const filesIn = (file: string): readonly string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((url) => url.startsWith('file:'))
    .map((url) => fileURLToPath(url));

/** Those whose addresses are in the file, as paths of this repository without what is Node's own. */
const modulesIn = (file: string): readonly string[] =>
  filesIn(file)
    .flatMap(packedIn)
    .map((path) => relative(root, path));

/** What a command prints, and the modules that it reads. */
function ran(args: readonly string[], dataDir = join(folder.path, 'none')) {
  const file = join(folder.path, args.join(' ').replaceAll('/', '-'));
  rmSync(file, { force: true });
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', watcher, join(root, 'cli/bin/oja.js'), ...args],
    { env: { ...process.env, MODULES_READ: file, DATA_DIR: dataDir }, encoding: 'utf8' },
  );
  const files = filesIn(file);
  return { status, stdout, files, modules: modulesIn(file) };
}

const modulesOf = (args: readonly string[]): readonly string[] => ran(args).modules;

/** What the command line itself is made of: nothing here opens an engine, sends or draws. */
const LIGHT =
  /^(node_modules\/commander\/|domain\/dist\/rules\/(text|limits|money)\.js|contracts\/dist\/models\/names\.js|cli\/(bin|dist-program\/rolldown-runtime|dist\/(main|command-line|terminal|runtime\/program|commands\/completion)))/;
/** What the answers to programs are described with, besides. */
const DESCRIBING =
  /^(node_modules\/zod\/|domain\/dist\/rules\/|cli\/dist\/(answers\/|commands\/(schema|shared\/log-line)\.js))/;

it.each(
  [
    ['--help'],
    ['status', '--help'],
    ['help', 'keys', 'rotate'],
    ['completion', 'bash'],
    ['statu'],
    ['status', '--chek'],
    ['start', 'projektor'],
    ['replay', 'catalog'],
    ['quarantine', 'skip', 'catalog', 'product-1'],
  ].map((args) => [args.join(' '), args] as const),
)('oja %s reads no engine', (_, args) => {
  const modules = modulesOf(args);
  expect(modules).toContain('cli/dist/main.js');
  expect(modules.filter((path) => !LIGHT.test(path))).toEqual([]);
});

it.each(['schema', 'schema logs', 'schema --error', 'schema statu'])(
  'oja %s reads no engine',
  (words) => {
    const modules = modulesOf(words.split(' '));
    expect(modules).toContain('cli/dist/commands/schema.js');
    expect(modules.filter((path) => !LIGHT.test(path) && !DESCRIBING.test(path))).toEqual([]);
  },
);

it('a start finds what a build has made, and builds nothing anew', () => {
  const text = readFileSync(join(root, 'scripts/lib/prepare.mjs'), 'utf8');
  const looked = [...text.matchAll(/'((?:cli|web)\/dist[^']+)'/g)].map(([, file = '']) => file);
  expect(looked).toContain('cli/dist-program/main.js');
  expect(looked.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

/** It loads a module by the name that it is given. */
const THREAD = 'platform-sqlite-writer-thread.js';

it('starts with compiled code that V8 takes of every file that was built', () => {
  const program = join(root, 'cli/dist-program');
  const packed: readonly string[] = JSON.parse(readFileSync(join(program, 'packed.json'), 'utf8'));
  const files = [
    ...packed
      .filter((name) => name.endsWith('.js') && name !== THREAD)
      .map((name) => join(program, name)),
    join(root, 'web/dist-server/server.cjs'),
  ];
  expect(files.length).toBeGreaterThan(30);
  const asks = `import { existsSync, readFileSync } from 'node:fs';
    import { cacheOf, scriptOf } from ${JSON.stringify(join(root, 'cli/bin/code-cache.js'))};
    const isTaken = (path) =>
      existsSync(cacheOf(path)) && !scriptOf(path, readFileSync(cacheOf(path))).cachedDataRejected;
    console.log(JSON.stringify(${JSON.stringify(files)}.filter((path) => !isTaken(path))));`;
  const args = ['--input-type=module', '-e', asks];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['[]\n', '']);
});

it('writes what is built in ASCII, and as the same program', () => {
  const path = join(folder.path, 'module.cjs');
  // An escape that is none, a backslash of its own before a character, and one of two units.
  const texts = String.raw`['a\–b', '\\–', '😀é', /^\₦[–é]+\d$/.test('₦–1'), /^[😀-😂]$/u.test('😁')]`;
  writeFileSync(path, `console.log(JSON.stringify(${texts}));`);
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout;
  const before = run(path);
  expect(JSON.parse(before)).toHaveLength(5);
  const keep = `import { keepUsed } from ${JSON.stringify(join(root, 'cli/bin/code-cache.js'))};
    await keepUsed(${JSON.stringify(path)}, () => {});`;
  run('--input-type=module', '-e', keep);
  expect(readFileSync(path, 'utf8')).not.toMatch(/[^\0-\x7f]/);
  expect(run(path)).toBe(before);
});

/** Nobody answers there: it is asked for nothing before the first request. */
const COLLECTOR = 'http://127.0.0.1:9';
const at = (endpoint: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });

it.each([
  ['nothing where traces go nowhere', {}, false],
  ['nothing where it is told to', { ...at(COLLECTOR), OTEL_SDK_DISABLED: 'true' }, false],
  ['what traces', at(COLLECTOR), true],
])('a market reads of OpenTelemetry %s', async (name, env, isRead) => {
  const file = join(folder.path, name);
  const seen = { MODULES_READ: file, NODE_OPTIONS: `--import=${watcher}` };
  const market = await openMarket(join(folder.path, `${name} market`), undefined, {
    ...env,
    ...seen,
  });
  expect(await market.stop()).toBe(0);
  const modules = modulesIn(file);
  expect(modules).toContain('platform/dist/tracing/trace.js');
  // The metrics read the API, which does nothing by itself.
  const isTracing = (path: string) =>
    /^node_modules\/@opentelemetry\/(?!api\/)/.test(path) || path.endsWith('/opentelemetry.js');
  expect(modules.some(isTracing)).toBe(isRead);
});

it('sees what a command reads that does something', () => {
  expect(modulesOf(['status'])).toContain('platform/dist/engines.js');
});

it('reads the client of S3 and the encryption for no backup in a folder', () => {
  const large = /node_modules\/(@aws-sdk|@smithy|age-encryption|@noble)\//;
  expect(modulesOf(['backup', 'list', folder.path]).filter((path) => large.test(path))).toEqual([]);
  expect(modulesOf(['backup', 'list', 's3://bucket/oja']).some((path) => large.test(path))).toBe(
    true,
  );
});

/** To find and to open a file takes a command longer than to read one three times as large. */
const FILES = 50;

it('reads nothing that serves, sends, measures or logs for a command that only looks, and all from few files', async () => {
  const dataDir = join(folder.path, 'sold');
  mkdirSync(dataDir);
  const market = await openSampleMarket(dataDir, {
    MODULES_READ: join(folder.path, 'sold market'),
    NODE_OPTIONS: `--import=${watcher}`,
  });
  expect(await market.stop()).toBe(0);
  const serving = ['web-push', 'koa', 'prom-client', 'pino'];
  const among = (modules: readonly string[], names: readonly string[]) =>
    names.filter((name) => modules.some((path) => path.startsWith(`node_modules/${name}/`)));
  expect(among(modulesIn(join(folder.path, 'sold market')), serving)).toEqual(serving);

  const payouts = ran(['payouts', 'list', '--json'], dataDir);
  const [{ transactionId }] = JSON.parse(payouts.stdout);
  const looks = [
    'status',
    'events stats',
    'events tail',
    'payouts list',
    'dispute list',
    'quarantine list',
    'config',
    'logs',
    `trace ${transactionId}`,
  ];
  for (const words of looks) {
    const { status, stdout, modules, files } = ran(words.split(' '), dataDir);
    expect([words, status, stdout.length > 0]).toEqual([words, 0, true]);
    expect(modules).toContain('cli/dist/runtime/context.js');
    expect([words, among(modules, [...serving, 'nodemailer'])]).toEqual([words, []]);
    const packed = files.filter((path) => path.includes('/dist-program/'));
    expect(packed.length, words).toBeLessThan(FILES);
  }
}, 120_000);

it('reads for the status nothing that projects or decides', () => {
  const { status, modules } = ran(['status'], join(folder.path, 'sold'));
  expect([status, modules.includes('projector/dist/runner/status.js')]).toEqual([0, true]);
  const works = /^(projector\/dist\/projections|domain\/dist\/(transaction|product))\//;
  expect(modules.filter((path) => works.test(path))).toEqual([]);
});
