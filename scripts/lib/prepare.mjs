import { existsSync, readFileSync, rmSync } from 'node:fs';
import { fingerprint, once } from './fingerprint.mjs';
import { npm } from './run.mjs';

const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8'));
const STAMPS = 'node_modules/.cache/oja';

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

const read = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null);

/** Whether what npm noted of its last installation is what the lockfile says; other platforms' parts may lack. */
function isInstalled() {
  const wanted = read('package-lock.json')?.packages ?? {};
  const there = read('node_modules/.package-lock.json')?.packages ?? {};
  return Object.entries(wanted).every(
    ([path, { version, link, optional, peer }]) =>
      !path.startsWith('node_modules/') ||
      link ||
      there[path]?.version === version ||
      (there[path] === undefined && (optional || peer)),
  );
}

/** Says what is done, and at a terminal for how long already: both may take a minute the first time. */
async function saying(what, work) {
  console.log(`${what} …`);
  if (!process.stdout.isTTY) return work();
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1_000);
  const timer = setInterval(() => process.stdout.write(`\r  ${seconds()} s`), 1_000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    process.stdout.write('\r\x1b[K');
  }
}

/** Installs what the lockfile says, unless that is what is there: so the second time needs no network. */
export async function install() {
  if (isInstalled()) return;
  const { length } = Object.keys(read('package-lock.json')?.packages ?? {});
  // With NODE_ENV=production npm leaves out what builds.
  const asked = ['install', '--no-save', '--no-audit', '--no-fund', '--include=dev'];
  if (
    !(await saying(`Installing ${length} packages, about a minute the first time`, () =>
      npm(asked),
    ))
  )
    fail('The packages could not be installed: check the network and run the command again.');
}

/** Builds every workspace, unless nothing has changed since. */
export async function build() {
  const print = fingerprint([...workspaces, 'tsconfig.json', 'package-lock.json']);
  const made = ['cli/dist/main.js', 'web/dist/index.html', 'web/dist-server/server.js'];
  const there = made.every((file) => existsSync(file));
  if (!there) rmSync(`${STAMPS}/built`, { force: true });
  await once(`${STAMPS}/built`, print, async () => {
    const asked = ['run', '--silent', 'build'];
    const env = { NODE_ENV: 'production' };
    if (!(await saying('Building, about a minute the first time', () => npm(asked, { env }))))
      fail('The build failed: what the compiler said is above.');
  });
}
