/**
 * `npm run bench -- [name] [arguments]`: runs one bench, or all of them one after the other, each
 * in a process of its own. README.md says what each measures.
 */
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { requireNode } from '../scripts/lib/node-version.mjs';
import { run } from '../scripts/lib/run.mjs';

/** The conditions of a measurement: with a load above the number of cores it had to wait for other programs. */
function conditions() {
  const [load] = loadavg();
  return `${availableParallelism()} cores, load ${load.toFixed(1)}, Node ${process.versions.node}`;
}

requireNode();
const here = import.meta.dirname;
const notBenches = ['run.mjs', 'lighthouse.mjs'];
const names = readdirSync(here)
  .filter((file) => file.endsWith('.mjs') && !notBenches.includes(file))
  .map((file) => file.slice(0, -'.mjs'.length));
const [name, ...rest] = process.argv.slice(2);

if (name !== undefined && !names.includes(name)) {
  console.error(`There is no bench '${name}'. There are: ${names.join(', ')}`);
  process.exit(64);
}
const built = ['../cli/dist/main.js', '../web/dist/index.html'];
if (!built.every((file) => existsSync(join(here, file)))) {
  console.error('Build it first: npm run build');
  process.exit(78);
}
for (const one of name === undefined ? names : [name]) {
  console.log(`\n== ${one} (${conditions()})`);
  if (!(await run(process.execPath, [join(here, `${one}.mjs`), ...rest], { loud: true })))
    process.exitCode = 1;
}
