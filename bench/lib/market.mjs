import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const oja = join(import.meta.dirname, '../../cli/bin/oja.js');
const LONGEST_START_MS = 600_000;

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Runs `oja` with these arguments; `ended` resolves to its exit code. */
export function runOja(args, env) {
  const child = spawn(process.execPath, [oja, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  return { child, ended };
}

/** The environment for a market in this folder: a demo on a free loopback port. */
export async function settingsIn(folder) {
  const port = await freePort();
  return { DATA_DIR: folder, PORT: String(port), HOST: '127.0.0.1', OJA_DEMO: '1' };
}

const GOODS = ['--products', '10000', '--sellers', '200', '--orders', '500', '--seed', '7'];

/** Makes a market with 10,000 goods and 500 orders, and stops it. @throws Error when the goods cannot be made. */
export async function fillMarket(env) {
  // The first start makes the market that goods can be put into.
  await (await openMarket(env)).close();
  if ((await runOja(['seed', ...GOODS], env).ended) !== 0) throw new Error('no goods');
}

/** Starts the market; `pid` is its process, and `close` stops it. @throws Error when it ends early or does not open in time. */
export async function openMarket(env) {
  const { child, ended } = runOja(['start'], env);
  await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the market did not open')), LONGEST_START_MS);
    ended.then((code) => reject(new Error(`oja start ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (text) => {
      if (!text.startsWith('Oja is open at ')) return;
      clearTimeout(late);
      resolve();
    });
  }).catch((error) => {
    child.kill('SIGINT');
    throw error;
  });
  return {
    url: `http://localhost:${env.PORT}`,
    pid: child.pid,
    async close() {
      child.kill('SIGINT');
      await ended;
    },
  };
}
