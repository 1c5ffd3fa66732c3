// `npm run siege -- [minutes]`: builds what it needs, then mixes hostile and honest traffic in a
// market of its own; 30 minutes by default.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { prepare } = await import('./lib/prepare.mjs');
const { run } = await import('./lib/run.mjs');
await prepare('besieging a market');
const loud = { loud: true };
const isDone =
  (await run('npx', ['--no-install', 'tsc', '-b', 'test/siege'], loud)) &&
  (await run(process.execPath, ['dist/siege/main.js', ...process.argv.slice(2)], loud));
process.exitCode = isDone ? 0 : 1;
