/**
 * The cost of tracing: orders placed one at a time through the whole market, which runs as one process
 * on a loopback port, with every trace sent to a local collector that stores nothing, compared with a
 * market without tracing. The two take turns, because a machine is not equally fast all the time.
 *
 *   npm run bench -- tracing [seconds a turn]
 */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { call, order } from './lib/calls.mjs';
import { line, ms, perSecond, rate, spread } from './lib/figures.mjs';
import { inFolder } from './lib/folder.mjs';
import { openMarket, settingsIn } from './lib/market.mjs';

const MS = Number(process.argv[2] ?? 10) * 1000;
const TURNS = 4;

/** Accepts OTLP over HTTP; counts requests and bytes. */
async function openCollector() {
  const came = { requests: 0, bytes: 0 };
  const server = createServer((request, response) => {
    came.requests += 1;
    request.on('data', (part) => (came.bytes += part.length));
    request.on('end', () => response.end());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${server.address().port}`;
  return { address, came, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** CPU time of the market's process so far, in ms, from its own metrics. */
async function spentBy(url) {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1]) * 1000;
}

/** Places orders for one turn; returns how long each took, the length of the turn and its CPU time, in ms. */
async function orders(url, goods) {
  const took = [];
  const spent = await spentBy(url);
  const began = performance.now();
  while (performance.now() - began < MS) {
    const at = performance.now();
    await call(url, '/v1/transaction/initialize', order(goods));
    took.push(performance.now() - at);
  }
  const elapsed = performance.now() - began;
  return { took, elapsed, spent: (await spentBy(url)) - spent };
}

const sum = (turns, of) => turns.reduce((all, turn) => all + of(turn), 0);

function told(name, turns, before = null) {
  const took = turns.flatMap((turn) => turn.took);
  const found = perSecond(
    took.length,
    sum(turns, ({ elapsed }) => elapsed),
  );
  const each = sum(turns, ({ spent }) => spent) / took.length;
  const ratio = (value, of) => (before === null ? null : { value: value / of, of: 'without' });
  line(`orders, ${name}`, `${rate(found)}, ${spread(took)}`, ratio(found, before?.found));
  line(`CPU of an order, ${name}`, ms(each), ratio(each, before?.each));
  return { found, each };
}

await inFolder(async (folder) => {
  const collector = await openCollector();
  const markets = [];
  try {
    markets.push(await openMarket(await settingsIn(join(folder, 'without'))));
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.address };
    markets.push(await openMarket({ ...(await settingsIn(join(folder, 'traced'))), ...tracing }));
    const goods = [];
    for (const { url } of markets)
      goods.push((await call(url, '/v1/products/search?limit=1')).result[0]);
    const turns = [[], []];
    for (let turn = -1; turn < TURNS; turn += 1)
      for (const [i, { url }] of markets.entries()) {
        const one = await orders(url, goods[i]);
        // The first turn of each market only warms up the compiler.
        if (turn >= 0) turns[i].push(one);
      }
    told('all traced', turns[1], told('without traces', turns[0]));
  } finally {
    for (const market of markets) await market.close();
    await collector.close();
  }
  line(
    'to the collector',
    `${collector.came.requests} requests, ${Math.round(collector.came.bytes / 1000)} kB`,
  );
});
