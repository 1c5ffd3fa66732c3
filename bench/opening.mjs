/**
 * A market with sample goods that opens, and that nobody visits: the time and the CPU of all its threads until it is open
 * and until the home page is there, and what it takes at rest. Baseline: a Node whose HTTP server says a word. Both take
 * turns, and each figure is a median.
 *
 *   npm run bench -- opening [rounds] [seconds at rest]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { threadsOf } from './lib/busiest-thread.mjs';
import { line, ms, percentile } from './lib/figures.mjs';
import { inFolder } from './lib/folder.mjs';
import { openMarket, settingsIn } from './lib/market.mjs';

const rounds = Number(process.argv[2] ?? 12);
const RESTING_S = Number(process.argv[3] ?? 60);
/** Until then a market still finishes what follows a start, such as its sitemap. */
const SETTLED_AFTER_S = 90;

const NOTHING = 'an empty server';
const server = `
  require('node:http').createServer((_, answer) => answer.end('hello')).listen(process.env.PORT, process.env.HOST, () => console.log('open'));`;

async function openServer(env) {
  const child = spawn(process.execPath, ['-e', server], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    url: `http://${env.HOST}:${env.PORT}`,
    pid: child.pid,
    async close() {
      child.kill('SIGINT');
      await once(child, 'close');
    },
  };
}

/** CPU time of all threads of a process so far, in ms; not a number where the system does not report it. */
const cpuOf = (pid) => [...(threadsOf(pid) ?? [[0, NaN]])].reduce((sum, [, ms]) => sum + ms, 0);

const residentMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1e3;

const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Opens one and closes it. Times are in ms. */
async function opened(open, env) {
  const began = performance.now();
  const { url, pid, close } = await open(env);
  const isOpen = [performance.now() - began, cpuOf(pid)];
  await (await fetch(url)).text();
  const hasHome = [performance.now() - began, cpuOf(pid)];
  await close();
  return { isOpen, hasHome };
}

/** Leaves one alone. Its CPU time is in ms for each minute. */
async function rested(open, env) {
  const { url, pid, close } = await open(env);
  await (await fetch(url)).text();
  await wait(SETTLED_AFTER_S);
  const before = cpuOf(pid);
  await wait(RESTING_S);
  const found = { cpu: ((cpuOf(pid) - before) / RESTING_S) * 60, resident: residentMb(pid) };
  await close();
  return found;
}

await inFolder(async (folder) => {
  const env = await settingsIn(folder);
  await (await openMarket(env)).close();
  const found = { server: [], market: [] };
  for (let round = 0; round < rounds; round += 1) {
    found.server.push(await opened(openServer, env));
    found.market.push(await opened(openMarket, env));
  }
  const median = (of, what, part) =>
    percentile(
      of.map((one) => one[what][part]),
      0.5,
    );
  for (const [what, name] of [
    ['isOpen', 'until it is open'],
    ['hasHome', 'until the home page is there'],
  ])
    for (const [part, kind] of ['', ', CPU'].entries()) {
      const base = median(found.server, what, part);
      const value = median(found.market, what, part);
      line(name + kind, ms(value), { value: value / base, of: `${NOTHING} (${ms(base)})` });
    }
  const [base, market] = [await rested(openServer, env), await rested(openMarket, env)];
  line('CPU a minute at rest', ms(market.cpu), {
    value: market.cpu / base.cpu,
    of: `${NOTHING} (${ms(base.cpu)})`,
  });
  line('resident at rest', `${market.resident.toFixed(0)} MB`, {
    value: market.resident / base.resident,
    of: `${NOTHING} (${base.resident.toFixed(0)} MB)`,
  });
});
