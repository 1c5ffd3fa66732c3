import { existsSync, rmSync } from 'node:fs';
import { contentHash, fingerprint, once } from './fingerprint.mjs';
import { npm } from './run.mjs';

const WORKSPACES = [
  'domain',
  'contracts',
  'platform',
  'projector',
  'command-service',
  'query-service',
  'cli',
  'web',
];
const STAMPS = 'node_modules/.cache/oja';

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Installs what the lockfile says, unless that is what is there: so the second time needs no network. */
export async function install() {
  const manifests = WORKSPACES.map((workspace) => `${workspace}/package.json`);
  const wanted = contentHash(['package.json', 'package-lock.json', ...manifests]);
  await once(`${STAMPS}/installed`, wanted, async () => {
    console.log('Installing packages …');
    if (!(await npm(['ci', '--no-audit', '--no-fund'])))
      fail('The packages could not be installed: check the network and run the command again.');
  });
}

/** Builds every workspace, unless nothing has changed since. */
export async function build() {
  const print = fingerprint([...WORKSPACES, 'tsconfig.json', `${STAMPS}/installed`]);
  const there = existsSync('cli/dist/main.js') && existsSync('web/dist/index.html');
  if (!there) rmSync(`${STAMPS}/built`, { force: true });
  await once(`${STAMPS}/built`, print, async () => {
    console.log('Building …');
    if (!(await npm(['run', '--silent', 'build'])))
      fail('The build failed: what the compiler said is above.');
  });
}
