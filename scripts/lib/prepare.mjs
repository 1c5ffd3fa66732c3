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

/** Installs what the lockfile says, unless that is what is there: so the second time needs no network. */
export async function install() {
  if (isInstalled()) return;
  console.log('Installing packages …');
  if (!(await npm(['install', '--no-save', '--no-audit', '--no-fund'])))
    fail('The packages could not be installed: check the network and run the command again.');
}

/** Builds every workspace, unless nothing has changed since. */
export async function build() {
  const print = fingerprint([...workspaces, 'tsconfig.json', 'package-lock.json']);
  const made = ['cli/dist/main.js', 'web/dist/index.html', 'web/dist-server/server.js'];
  const there = made.every((file) => existsSync(file));
  if (!there) rmSync(`${STAMPS}/built`, { force: true });
  await once(`${STAMPS}/built`, print, async () => {
    console.log('Building …');
    if (!(await npm(['run', '--silent', 'build'])))
      fail('The build failed: what the compiler said is above.');
  });
}
