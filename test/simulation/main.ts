import { parseArgs } from 'node:util';
import { type Plan, simulate, TROUBLES } from './run.js';
import { shrink, storyOf } from './shrink.js';

const USAGE =
  'npm run simulate -- [--seed 1] [--seeds 1] [--orders 100] [--days 60] [--without "odd transfers,silence"] [--whole]';

function refuse(why: string): never {
  console.error(`${why}: ${USAGE}`);
  process.exit(2);
}

function whole(text: string, least: number): number {
  const number = Number(text);
  return Number.isSafeInteger(number) && number >= least
    ? number
    : refuse('It takes whole numbers');
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    /** How many seeds to run, one after the other. */
    seeds: { type: 'string', default: '1' },
    orders: { type: 'string', default: '100' },
    days: { type: 'string', default: '60' },
    /** Troubles to switch off. */
    without: { type: 'string', default: '' },
    /** Reports a failing run as it is, without shrinking it. */
    whole: { type: 'boolean', default: false },
  },
});

const without = values.without.split(',').filter((trouble) => trouble !== '');
const stranger = without.find((trouble) => !TROUBLES.some((known) => known === trouble));
if (stranger !== undefined) refuse(`'${stranger}' is none of ${TROUBLES.join(', ')}`);
const troubles = TROUBLES.filter((trouble) => !without.includes(trouble));
const now = process.hrtime.bigint;
const [first, seeds] = [whole(values.seed, 0), whole(values.seeds, 1)];
const [orders, days] = [whole(values.orders, 0), whole(values.days, 2)];
let failed = 0;
for (let seed = first; seed < first + seeds; seed += 1) {
  const began = now();
  const plan: Plan = { seed, orders, days, troubles };
  const outcome = await simulate(plan);
  const { violation, hash, steps, events, kills, placed, paid, unknownPaths } = outcome;
  const seconds = (Number((now() - began) / 1_000_000n) / 1_000).toFixed(1);
  const figures = `${placed} placed, ${paid} paid, ${events} events, ${steps} steps, ${kills} kills, ${seconds} s, trace ${hash}`;
  console.log(
    `seed ${seed}, ${orders} orders, ${days} days: ${violation?.message ?? 'ok'}; ${figures}`,
  );
  for (const path of unknownPaths)
    console.log(`the provider was asked for ${path}, which it does not have`);
  if (violation === null) continue;
  failed += 1;
  const shrunk = values.whole
    ? { plan, outcome: await simulate({ ...plan, isTold: true }) }
    : await shrink(plan, outcome);
  const { plan: shortest } = shrunk;
  const needs = (shortest.troubles ?? TROUBLES).join(', ') || 'nothing';
  console.log(`The shortest story: orders ${shortest.only?.join(', ') ?? 'all'}, with ${needs}`);
  for (const line of storyOf(shrunk)) console.log(`  ${line}`);
  console.log(`  ${shrunk.outcome.violation?.message ?? 'It could not be told again'}`);
}
process.exitCode = failed === 0 ? 0 : 1;
