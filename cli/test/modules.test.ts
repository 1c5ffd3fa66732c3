import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/market.js';

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
const watcher = text(
  `import { register } from 'node:module'; register(${JSON.stringify(hooks)}, import.meta.url);`,
);

/** The modules that a command reads, as paths of this repository without what is Node's own. */
function modulesOf(args: readonly string[]): readonly string[] {
  const file = join(folder.path, args.join(' ').replaceAll('/', '-'));
  spawnSync(process.execPath, ['--import', watcher, join(root, 'cli/bin/oja.js'), ...args], {
    env: { ...process.env, MODULES_READ: file, DATA_DIR: join(folder.path, 'none') },
  });
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((url) => url.startsWith('file:'))
    .map((url) => relative(root, fileURLToPath(url)));
}

/** What the command line itself is made of: nothing here opens an engine, sends or draws. */
const LIGHT =
  /^(node_modules\/commander\/|domain\/dist\/rules\/|contracts\/dist\/models\/|cli\/(bin|dist\/(main|command-line|terminal|runtime\/program|commands\/completion)))/;

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

it('sees what a command reads that does something', () => {
  expect(modulesOf(['status'])).toContain('platform/dist/index.js');
});
