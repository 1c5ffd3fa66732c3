// `npm run browser`: runs all browser tests, or the named ones, in the Chromium that `npm test` uses.
import { findChromium } from './lib/chromium.mjs';
import { run } from './lib/run.mjs';

const chromium = await findChromium();
if (chromium === null) console.error('No Chromium could be had: set CHROMIUM to the path of one.');
const args = ['--no-install', 'playwright', 'test', ...process.argv.slice(2)];
const passed = chromium !== null && (await run('npx', args, { loud: true, env: chromium }));
process.exitCode = passed ? 0 : 1;
