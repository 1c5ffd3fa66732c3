import { parseArgs } from 'node:util';
import { runChaos } from './run.js';

const USAGE = 'npm run chaos -- --orders 1000 [--seed 1]';
/** One kill of every role per this many orders, in each half of the run. */
const ORDERS_A_KILL = 100;

function whole(text: string, least: number): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= least) return number;
  console.error(`It takes whole numbers: ${USAGE}`);
  process.exit(2);
}

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
  },
});
// Exit normally on a signal, so that exit handlers run.
process.once('SIGTERM', () => process.exit(143));
process.once('SIGINT', () => process.exit(130));
const orders = whole(values.orders, 1);
const seed = whole(values.seed, 0);
const began = performance.now();
const outcome = await runChaos({
  orders,
  seed,
  killsEach: Math.ceil(orders / ORDERS_A_KILL),
  say: (line) => console.log(line),
});

const kills = Object.entries(outcome.kills).map(([role, times]) => `${role} ${times}`);
const seconds = Math.round((performance.now() - began) / 1000);
console.log(
  `${orders} orders, ${outcome.webhooks} webhooks, killed: ${kills.join(', ')}; ${seconds} s, seed ${seed}`,
);
console.log([...outcome.events].map(([type, times]) => `${type} ${times}`).join(', '));
const { lost, doubled, unbalanced, unsettled } = outcome;
console.log(`The ledger was looked at ${outcome.ledgerLooks} times meanwhile.`);
for (const [what, ids] of Object.entries({ lost, doubled, unbalanced, unsettled }))
  for (const id of ids) console.error(`${what}: ${id}`);
console.log(`lost, doubled, unbalanced: ${lost.length}, ${doubled.length}, ${unbalanced.length}`);
const wrong = lost.length + doubled.length + unbalanced.length + unsettled.length;
process.exitCode = wrong === 0 ? 0 : 1;
