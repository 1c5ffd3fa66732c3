import { expect, it } from 'vitest';
import { type Frame, requestsBetween } from './frame.js';
import { linesOf } from './index.js';
import { figuresIn, requestsSince, slowest } from './process-metrics.js';

/** Metrics of a call with `count` requests, of which `quick` took at most 10 ms, and the others at most 100 ms. */
const durations = (route: string, count: number, quick: number) => `
oja_http_request_duration_seconds_bucket{le="0.01",method="GET",route="${route}",status="200"} ${quick}
oja_http_request_duration_seconds_bucket{le="0.1",method="GET",route="${route}",status="200"} ${count}
oja_http_request_duration_seconds_bucket{le="+Inf",method="GET",route="${route}",status="200"} ${count}
oja_http_request_duration_seconds_sum{method="GET",route="${route}",status="200"} 1
oja_http_request_duration_seconds_count{method="GET",route="${route}",status="200"} ${count}`;

it('reads what a process tells, and not who asks for it', () => {
  const text = `process_resident_memory_bytes 2e+08\n${durations('/v1/shops/:id', 4, 3)}${durations('/metrics', 9, 9)}`;
  const figures = figuresIn(text);
  expect(figures).toMatchObject({ memoryBytes: 200_000_000, cpuSeconds: null });
  expect(figures.requests).toEqual([
    {
      call: 'GET /v1/shops/:id',
      status: 200,
      count: 4,
      buckets: [
        [0.01, 3],
        [0.1, 4],
        [Number.POSITIVE_INFINITY, 4],
      ],
    },
  ]);
});

it('tells the times of what was asked between two looks, the slowest call first', () => {
  const before = figuresIn(durations('/quick', 100, 0));
  const now = figuresIn(durations('/quick', 200, 100) + durations('/slow', 2, 0));
  expect(slowest(requestsSince(now, before))).toEqual([
    { call: 'GET /slow', count: 2, p50Ms: 55, p99Ms: 99.1 },
    { call: 'GET /quick', count: 100, p50Ms: 5, p99Ms: 9.9 },
  ]);
});

it('counts a process that was started anew from its beginning', () => {
  const before = figuresIn(durations('/quick', 100, 100));
  const now = figuresIn(durations('/quick', 3, 3));
  expect(slowest(requestsSince(now, before))).toMatchObject([{ count: 3, p50Ms: 5 }]);
});

it('leaves out what a process answered before anybody looked, and takes all of a new one', () => {
  const look = (at: number, began: number, told: string | null) => ({
    at,
    figures: new Map(told === null ? [] : [['market', figuresIn(told)]]),
    began: new Map([['market', began]]),
  });
  const now = look(4_000, 1_000, durations('/quick', 400, 400));
  expect(requestsBetween(now, look(2_000, 1_000, null))).toEqual([]);
  expect(requestsBetween(now, null)).toMatchObject([{ count: 400 }]);
  const anew = look(4_000, 3_000, durations('/quick', 3, 3));
  expect(requestsBetween(anew, look(2_000, 1_000, null))).toMatchObject([{ count: 3 }]);
});

const frame: Frame = {
  time: '2026-01-31T13:00:00.000Z',
  running: true,
  demo: false,
  processes: ['query-service', 'command-service', 'projector'].map((service, pid) => ({
    ...{ service, host: 'market-1.example', pid, since: '2026-01-31T12:00:00.000Z' },
    ...{ answers: pid > 0, memoryBytes: 2e8, cpu: 0.5, eventLoopP99Ms: 12 },
  })),
  ...{
    requestsPerSecond: 1234,
    failedPerSecond: 0.4,
    eventsPerSecond: 310,
    ordersPlaced: 90,
    ordersPaid: 61,
  },
  readModels: ['catalogue', 'sellers', 'transactions', 'notifications', 'reviews', 'ledger'].map(
    (projection, i) => ({ projection, events: i * 5_000, seconds: i * 70, parked: i }),
  ),
  queues: {
    letters: { waiting: 3, delayed: 1, active: 0, failed: 2 },
    'payment-checks': { waiting: 12, delayed: 3, active: 2, failed: 1 },
  },
  callsSeconds: 60,
  calls: Array.from({ length: 30 }, (_, i) => ({
    ...{ call: `GET /v1/something/quite/long/:number/of/${i}`, count: 1_000_000 - i },
    ...{ p50Ms: 0.5, p99Ms: 9_000 - i },
  })),
  complaints: 2,
  disputedPayments: 1,
  payable: 1,
  problems: Array.from(
    { length: 12 },
    (_, i) => `the ${i}. read model stands still, at an event of a stream`,
  ),
};

it.each([
  [80, 24],
  [40, 24],
  [132, 50],
])('fits a terminal of %i columns and %i rows, whatever is wrong', (columns, rows) => {
  for (const each of [frame, { ...frame, problems: [] }, { ...frame, calls: [] }]) {
    const lines = linesOf(each, columns, rows);
    expect(lines.length).toBeLessThanOrEqual(rows);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  }
  const text = linesOf(frame, columns, rows).join(' ');
  expect(text).toContain('the 0. read model');
  expect(text).toMatch(rows > 24 ? /shares? to pay by hand/ : /and \d+ more: oja status/);
});

it('gives a narrow screen to the most serious problem before the calls', () => {
  const problem =
    'nothing new can be taken: 0.0 MB are free on the disk of /srv/oja/data, and 4.2 MB are needed';
  const lines = linesOf({ ...frame, problems: [problem] }, 40, 24);
  expect(lines.join(' ')).toContain(problem);
  expect(lines.length).toBeLessThanOrEqual(24);
});

it('says of a market whose processes are not heard of that it runs', () => {
  const text = linesOf({ ...frame, processes: [] }, 80, 24).join(' ');
  expect(text).toMatch(/^The market is running .*No process has sent a heartbeat lately/);
});

it('says that nobody is needed, and what cannot be known', () => {
  const calm = { ...frame, running: false, processes: [], requestsPerSecond: null, calls: [] };
  const lines = linesOf(
    { ...calm, complaints: 0, disputedPayments: 0, payable: 0, problems: [] },
    80,
    24,
  );
  expect(lines[0]).toMatch(/^The market is stopped at /);
  expect(lines.join('\n')).toContain('requests -');
  expect(lines.at(-1)).toBe('Nothing needs you.');
});
