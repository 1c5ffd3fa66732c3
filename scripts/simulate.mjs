// `npm run simulate -- --seed 1 --orders 1000 --days 365`: builds what the simulation needs, then runs it.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { prepare } = await import('./lib/prepare.mjs');
const { run } = await import('./lib/run.mjs');
await prepare('simulating a market');
const loud = { loud: true };
/** Most objects die with the step that made them: a larger young generation saves a tenth of the time. */
const HEAP = ['--max-semi-space-size=64', '--max-old-space-size=6144'];
const isDone =
  (await run('npx', ['--no-install', 'tsc', '-b', 'test/simulation'], loud)) &&
  (await run(
    process.execPath,
    [...HEAP, 'dist/simulation/main.js', ...process.argv.slice(2)],
    loud,
  ));
process.exitCode = isDone ? 0 : 1;
