import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/market.js';

const ROOT = join(import.meta.dirname, '../..');
const folder = temporaryFolder();
afterAll(() => folder.remove());

const write = (name: string, text: string): void => {
  const path = join(folder.path, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
};

/** A checkout of two rooms and four packages, one of them for another system. */
function makeCheckout(): void {
  for (const name of ['start.mjs', 'lib/prepare.mjs', 'lib/fingerprint.mjs', 'lib/run.mjs']) {
    mkdirSync(join(folder.path, 'scripts/lib'), { recursive: true });
    copyFileSync(join(ROOT, 'scripts', name), join(folder.path, 'scripts', name));
  }
  copyFileSync(
    join(ROOT, 'scripts/lib/node-version.mjs'),
    join(folder.path, 'scripts/lib/node-version.mjs'),
  );
  write('package.json', JSON.stringify({ type: 'module', workspaces: ['cli', 'web'] }));
  write('cli/bin/oja.js', 'console.log("open");');
  const packages = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name) => [`node_modules/${name}`, { version: '1.0.0' }]),
  );
  const foreign = { 'node_modules/other': { version: '1.0.0', optional: true } };
  write('package-lock.json', JSON.stringify({ packages: { '': {}, ...packages, ...foreign } }));
}

/**
 * A fake npm: it records its arguments and does the steps of npm one by one, each once the file
 * with its number exists.
 */
const NPM = `
const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');
const { NODE_ENV } = process.env;
appendFileSync('asked', JSON.stringify({ args: process.argv.slice(2), NODE_ENV }) + '\\n');
const put = (file, text = '{}') => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const packages = (...names) => names.forEach((name) => put('node_modules/' + name + '/package.json'));
const pieces = process.argv[2] === 'install'
  ? [
      [1, () => packages('a', 'b')],
      [2, () => packages('c', 'd')],
      [3, () => put('node_modules/.package-lock.json', require('node:fs').readFileSync('package-lock.json', 'utf8'))],
    ]
  : [
      [4, () => put('cli/dist/.tsbuildinfo')],
      [5, () => {
        put('cli/dist-program/main.js');
        put('web/dist/index.html');
        put('web/dist-server/server.cjs');
        put('web/dist-server/server.cjs.cache');
      }],
    ];
const timer = setInterval(() => {
  const [next] = pieces;
  if (next === undefined) return clearInterval(timer);
  if (!existsSync('turn-' + next[0])) return;
  next[1]();
  pieces.shift();
}, 20);
`;

/**
 * Starts with NODE_ENV=production, as some platforms set it: npm then installs no development
 * packages unless told to.
 */
function start() {
  const env = { ...process.env, NODE_ENV: 'production', npm_execpath: join(folder.path, 'npm.js') };
  const child = spawn(process.execPath, ['scripts/start.mjs'], { cwd: folder.path, env });
  const lines: string[] = [];
  const heard = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      for (const each of heard) each();
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    lines,
    ended,
    line: (text: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => lines.includes(text) && resolve();
        heard.add(look);
        look();
        void ended.then(() =>
          reject(new Error(`it ended without '${text}':\n${lines.join('\n')}`)),
        );
      }),
  };
}

it('a first start says what it does and how far it is, and installs in production too what builds; the next one does none of it', async () => {
  makeCheckout();
  write('npm.cjs', NPM);
  write('npm.js', "import './npm.cjs';\n");
  const first = start();
  await first.line('1 of 3: installing 4 packages, about a minute the first time …');
  write('turn-1', '');
  await first.line('  2 of 4 packages');
  write('turn-2', '');
  await first.line('  4 of 4 packages');
  write('turn-3', '');
  await first.line('2 of 3: building, about a minute the first time …');
  write('turn-4', '');
  await first.line('  1 of 2 parts');
  write('turn-5', '');
  await first.line('3 of 3: opening the market …');
  expect(await first.ended).toBe(0);
  expect(first.lines.at(-1)).toBe('open');

  const next = start();
  expect(await next.ended).toBe(0);
  expect(next.lines).toEqual(['open']);

  const asked = readFileSync(join(folder.path, 'asked'), 'utf8').trim().split('\n');
  expect(asked.map((line) => JSON.parse(line))).toEqual([
    {
      args: ['install', '--no-save', '--no-audit', '--no-fund', '--include=dev'],
      NODE_ENV: 'production',
    },
    { args: ['run', '--silent', 'build'], NODE_ENV: 'production' },
  ]);
});

/** A Node that takes itself for one on Windows, where `npm` is a batch file, which Node starts no more. */
const WINDOWS = `
Object.defineProperty(process, 'platform', { value: 'win32' });
Object.defineProperty(process, 'execPath', { value: import.meta.dirname + '/node.exe' });
`;

it('on Windows, npm is what lies beside Node, also where the start was not typed through npm', async () => {
  const at = (path: string) => join(folder.path, 'program files', path);
  write('program files/windows.mjs', WINDOWS);
  write('program files/node.exe', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  chmodSync(at('node.exe'), 0o755);
  write(
    'program files/node_modules/npm/bin/npm-cli.js',
    'console.log(JSON.stringify(process.argv.slice(2)));',
  );
  write(
    'build.mjs',
    `import { npm } from ${JSON.stringify(join(ROOT, 'scripts/lib/run.mjs'))};
    process.exit((await npm(['run', '--silent', 'build'], { loud: true })) ? 0 : 1);`,
  );
  const { npm_execpath: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--import', at('windows.mjs'), 'build.mjs'], {
    cwd: folder.path,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (part: Buffer) => {
    said += part;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect({ code, said }).toEqual({ code: 0, said: '["run","--silent","build"]\n' });
});
