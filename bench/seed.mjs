/**
 * `oja seed --products 100000` as a process, from start to end, on a market that was opened once.
 * Baseline: bare appends of as many streams to a log.
 *
 *   npm run bench -- seed [goods]
 */
import { join } from 'node:path';
import { createEmbeddedEventStore } from '@oja/platform';
import { line, perSecond, rate, timed } from './lib/figures.mjs';
import { inFolder } from './lib/folder.mjs';
import { fillLog } from './lib/log.mjs';
import { openMarket, runOja, settingsIn } from './lib/market.mjs';

const goods = Number(process.argv[2] ?? 100_000);
/** What `oja seed` makes besides the goods by default. */
const sellers = 12;
const orders = 40;

let bare = 0;
await inFolder(async (folder) => {
  const eventStore = await createEmbeddedEventStore({ file: join(folder, 'log.db') });
  bare = await timed(() => fillLog(eventStore, { goods, orders, sellers }));
  await eventStore.close();
  line('the same streams, appended in this process', `${(bare / 1000).toFixed(1)} s`);
});
await inFolder(async (folder) => {
  const env = await settingsIn(folder);
  await (await openMarket(env)).close();
  let code;
  const took = await timed(async () => {
    code = await runOja(['seed', '--products', String(goods)], env).ended;
  });
  if (code !== 0) throw new Error(`oja seed ended with ${code}`);
  const figure = `${(took / 1000).toFixed(1)} s, ${rate(perSecond(goods, took))}`;
  line(`oja seed --products ${goods}`, figure, { value: took / bare, of: 'bare appends' });
});
