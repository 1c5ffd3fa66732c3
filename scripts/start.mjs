// `npm start`: installs, builds and opens the whole market on this machine.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { prepare } = await import('./lib/prepare.mjs');
await prepare('opening the market');
process.argv.splice(2, 0, 'start');
await import('../cli/bin/oja.js');
