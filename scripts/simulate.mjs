// `npm run simulate -- --seed 1 --orders 1000 --days 365`: builds what it needs, then runs it.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { install, build } = await import('./lib/prepare.mjs');
const { run } = await import('./lib/run.mjs');
await install();
await build();
const loud = { loud: true };
const isDone =
  (await run('npx', ['--no-install', 'tsc', '-b', 'test/simulation'], loud)) &&
  (await run(process.execPath, ['dist/simulation/main.js', ...process.argv.slice(2)], loud));
process.exitCode = isDone ? 0 : 1;
