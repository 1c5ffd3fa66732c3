// `npm run chaos -- --orders 1000`: builds what the chaos test needs, then runs it.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { prepare } = await import('./lib/prepare.mjs');
const { run } = await import('./lib/run.mjs');
await prepare('killing services of a market');
const loud = { loud: true };
const isDone =
  (await run('npx', ['--no-install', 'tsc', '-b', 'test/chaos'], loud)) &&
  (await run(process.execPath, ['dist/chaos/main.js', ...process.argv.slice(2)], loud));
process.exitCode = isDone ? 0 : 1;
