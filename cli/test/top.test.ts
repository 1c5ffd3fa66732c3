import { join } from 'node:path';
import { expect, it } from 'vitest';
import { oja } from './support/oja.js';
import { useSampleMarket } from './support/sample.js';
import { hasTerminal, onTerminal } from './support/terminal.js';

const market = useSampleMarket();

const count = expect.any(Number);
/** What `oja top --json` answers: nothing more, nothing less. */
const schema = {
  time: expect.stringMatching(/^\d{4}-.*Z$/),
  running: true,
  demo: true,
  processes: [
    {
      service: 'market',
      host: expect.any(String),
      pid: count,
      since: expect.stringMatching(/Z$/),
      answers: true,
      memoryBytes: count,
      cpu: count,
      eventLoopP99Ms: count,
    },
  ],
  requestsPerSecond: count,
  failedPerSecond: 0,
  eventsPerSecond: count,
  ordersPlaced: count,
  ordersPaid: count,
  readModels: expect.arrayContaining([
    { projection: 'catalogue', events: count, seconds: count, parked: 0 },
  ]),
  queues: expect.objectContaining({
    letters: { waiting: count, delayed: count, active: count, failed: count },
  }),
  callsSeconds: null,
  calls: expect.arrayContaining([
    { call: 'GET /v1/products/search', count: 3, p50Ms: count, p99Ms: count },
  ]),
  complaints: count,
  disputedPayments: count,
  payable: count,
  problems: expect.any(Array),
};

const LEAST = ['top', '--interval', '1'];

it('tells a program how the market does', async () => {
  for (let i = 0; i < 3; i += 1) await fetch(`${market.url}/v1/products/search?limit=1`);
  const { code, text } = await oja(market.dataDir, [...LEAST, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(text)).toEqual(schema);
});

it('prints one frame of 80 columns where no terminal is', async () => {
  const { code, lines } = await oja(market.dataDir, LEAST);
  expect(code).toBe(0);
  expect(lines[0]).toMatch(/^The market is running \(demo\) at \d\d:/);
  expect(lines.join('\n')).toMatch(/GET \/v1\/products\/search +3 /);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines.length).toBeLessThanOrEqual(24);
});

it.skipIf(!hasTerminal)(
  'redraws a terminal in place until q, and gives it back',
  async () => {
    const screen = onTerminal(market.dataDir, ['top', '--interval', '1']);
    const frames = () => screen.shown().split('\u001b[HThe market is running').length - 1;
    await expect.poll(frames, { timeout: 60_000 }).toBeGreaterThan(1);
    screen.type('q');
    expect(await screen.ended).toBe(0);
    expect(screen.shown().startsWith('\u001b[?1049h\u001b[?25l')).toBe(true);
    expect(screen.shown().endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
  },
  90_000,
);

it('says what is known of a market that does not run', async () => {
  await market.stop();
  const { code, lines } = await oja(market.dataDir, LEAST);
  expect(code).toBe(0);
  expect(lines[0]).toMatch(/^The market is stopped/);
  expect(lines.join('\n')).toMatch(/requests -.*\n(.*\n)*.*catalogue 0/);
  expect(await oja(join(market.dataDir, 'nowhere'), LEAST)).toMatchObject({
    code: 78,
    lines: [expect.stringContaining('There is no market in')],
  });
});
