/**
 * Prints Lighthouse's mobile scores of home, search and product for a market with 10,000 goods,
 * under simulated and under DevTools throttling, and below each row the audits that cost points.
 * Makes the market in a folder that it removes, unless LIGHTHOUSE_DATA names the folder of a filled
 * market. `machine` is Lighthouse's own measure of the computer.
 *
 *   npm run lighthouse -- [runs]
 *
 * Of several runs the median by performance counts: other programs on the machine make single runs worse.
 */
import { execFile as execFileCallback } from 'node:child_process';
import { promisify } from 'node:util';
import { chromiumPath } from '../scripts/lib/chromium.mjs';
import { inFolder } from './lib/folder.mjs';
import { fillMarket, openMarket, settingsIn } from './lib/market.mjs';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const METRICS = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
  SI: 'speed-index',
};
const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic'];

const LIGHTHOUSE = 'lighthouse@12.8.2';
const LARGEST_REPORT = 64 * 1024 * 1024;
const ATTEMPTS = 3;

const execFile = promisify(execFileCallback);
const runs = Number(process.argv[2] ?? 3);

/** Runs the work with the address of a filled market, and removes the folder if it was made for it. */
async function inFilledMarket(work) {
  const kept = process.env.LIGHTHOUSE_DATA;
  if (kept !== undefined) return inMarket(await settingsIn(kept), work);
  return inFolder(async (folder) => {
    const env = await settingsIn(folder);
    await fillMarket(env);
    await inMarket(env, work);
  });
}

async function inMarket(env, work) {
  const market = await openMarket(env);
  try {
    await work(market.url);
  } finally {
    await market.close();
  }
}

async function pagesOf(url) {
  const answer = await fetch(`${url}/v1/products/search?sort=trending&limit=1`);
  const { result } = await answer.json();
  const [{ product_id: id, subcategory_id: shelf }] = result;
  return {
    home: `${url}/`,
    search: `${url}/search-items?query=bag`,
    product: `${url}/single-product/${shelf}/${id}`,
  };
}

/** Visits again when a visit fails: a recording that Chromium cut short says nothing about the page. */
async function visit(address, throttlingMethod) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await visitOnce(address, throttlingMethod);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** One cold visit by a phone. npm fetches the tool when it is needed, so that nobody else has to install it. */
async function visitOnce(address, throttlingMethod) {
  const { stdout } = await execFile(
    'npm',
    [
      'exec',
      '--yes',
      '--',
      LIGHTHOUSE,
      address,
      '--quiet',
      '--output=json',
      `--only-categories=${CATEGORIES.join(',')}`,
      `--throttling-method=${throttlingMethod}`,
      `--chrome-flags=${FLAGS.join(' ')}`,
    ],
    { env: { ...process.env, CHROME_PATH: await chromiumPath() }, maxBuffer: LARGEST_REPORT },
  );
  const lhr = JSON.parse(stdout);
  if (lhr.runtimeError) throw new Error(`${address}: ${lhr.runtimeError.message}`);
  return lhr;
}

const score = ({ score: of }) => (of === null ? '–' : Math.round(of * 100));

function row(name, throttling, lhr) {
  const scores = CATEGORIES.map((id) => String(score(lhr.categories[id])).padStart(4)).join('');
  const metrics = Object.entries(METRICS)
    .map(([short, id]) => `${short} ${lhr.audits[id].displayValue}`)
    .join('  ');
  const machine = Math.round(lhr.environment.benchmarkIndex);
  return `${name.padEnd(8)} ${throttling.padEnd(9)}${scores}   ${metrics}  (machine ${machine})`;
}

function shortcomings(lhr) {
  const refs = CATEGORIES.flatMap((id) => lhr.categories[id].auditRefs);
  const failed = refs
    .filter(({ weight, group }) => weight > 0 && group !== 'metrics')
    .map(({ id }) => lhr.audits[id])
    .filter(({ score: of }) => of !== null && of < 0.9);
  return failed.map(({ id, displayValue = '' }) => `         ${id} ${displayValue}`);
}

await inFilledMarket(async (url) => {
  console.log(`${'page'.padEnd(8)} ${'throttled'.padEnd(9)}perf a11y best  seo`);
  for (const [name, address] of Object.entries(await pagesOf(url))) {
    for (const throttling of ['simulate', 'devtools']) {
      const visits = [];
      for (let i = 0; i < runs; i += 1) visits.push(await visit(address, throttling));
      visits.sort((a, b) => a.categories.performance.score - b.categories.performance.score);
      const median = visits[Math.floor(visits.length / 2)];
      console.log(row(name, throttling, median));
      for (const line of shortcomings(median)) console.log(line);
    }
  }
});
