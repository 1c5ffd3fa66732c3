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

/** Whether npm's record of its last installation matches the lockfile. Optional and peer packages may be missing. */
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

const LOOK_MS = 200;

/** How many times a log reports progress: once per quarter. */
const TOLD_PARTS = 4;

/**
 * Prints a step and its progress: on a terminal in place with the elapsed time, in a log once per
 * quarter. Both steps may take a minute the first time. `parts` lists files that appear when a part
 * is done; it is empty when only the end can be seen.
 */
async function saying(what, { unit, parts }, work) {
  console.log(`${what} …`);
  const began = performance.now();
  const left = new Set(parts);
  let told = 0;
  const look = () => {
    for (const file of left) if (existsSync(file)) left.delete(file);
    const done = parts.length - left.size;
    const far = `${done} of ${parts.length} ${unit}`;
    if (process.stdout.isTTY) {
      const seconds = Math.round((performance.now() - began) / 1_000);
      process.stdout.write(`\r  ${parts.length > 0 ? `${far}, ` : ''}${seconds} s\x1b[K`);
      return;
    }
    const quarters = Math.floor((done * TOLD_PARTS) / Math.max(1, parts.length));
    if (quarters <= told) return;
    told = quarters;
    console.log(`  ${far}`);
  };
  const timer = setInterval(look, LOOK_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
  }
}

/** The package.json of every package that each platform installs; packages for particular platforms are left out. */
const packageFiles = () =>
  Object.entries(read('package-lock.json')?.packages ?? {}).flatMap(
    ([path, { link, optional, devOptional, peer }]) =>
      !path.startsWith('node_modules/') || link || optional || devOptional || peer
        ? []
        : [`${path}/package.json`],
  );

/** Whether anything had to be installed or built. */
let isTold = false;

/** Installs what the lockfile says unless it is already installed, so that a second start needs no network. */
async function install() {
  if (isInstalled()) return;
  isTold = true;
  const parts = packageFiles();
  // With NODE_ENV=production npm would leave out the build tools.
  const asked = ['install', '--no-save', '--no-audit', '--no-fund', '--include=dev'];
  const what = `1 of 3: installing ${parts.length} packages, about a minute the first time`;
  if (!(await saying(what, { unit: 'packages', parts }, () => npm(asked))))
    fail('The packages could not be installed: check the network and run the command again.');
}

/** What a whole build has made last, of the program and of the pages. */
const made = [
  'cli/dist-program/main.js',
  'web/dist/index.html',
  'web/dist-server/server.cjs.cache',
];

/** Builds every workspace unless nothing has changed since the last build. */
async function build() {
  const print = fingerprint([...workspaces, 'tsconfig.json', 'package-lock.json']);
  const there = made.every((file) => existsSync(file));
  if (!there) rmSync(`${STAMPS}/built`, { force: true });
  await once(`${STAMPS}/built`, print, async () => {
    isTold = true;
    // When the files of an earlier build exist, they cannot show progress.
    const ends = workspaces.map((name) =>
      name === 'web' ? 'web/dist-server/server.cjs' : `${name}/dist/.tsbuildinfo`,
    );
    const parts = there ? [] : ends;
    const asked = ['run', '--silent', 'build'];
    const options = { env: { NODE_ENV: 'production' } };
    const what = '2 of 3: building, about a minute the first time';
    if (!(await saying(what, { unit: 'parts', parts }, () => npm(asked, options))))
      fail('The build failed: what the compiler said is above.');
  });
}

/** Installs and builds what is missing. `then` names the next step; it is printed only if there was work to do. */
export async function prepare(then) {
  await install();
  await build();
  if (isTold) console.log(`3 of 3: ${then} …`);
}
