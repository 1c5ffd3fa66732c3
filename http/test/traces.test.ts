import { startTracing } from '@oja/platform';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openCollector } from '../../test/support/collector.js';
import { memoryLogger, startHarness } from './harness.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const headers = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'other=1' };

let collector: Awaited<ReturnType<typeof openCollector>>;
beforeAll(async () => {
  collector = await openCollector();
});
afterAll(() => collector.close());
beforeEach(() => {
  for (const [name, text] of Object.entries(collector.env)) vi.stubEnv(name, text);
});
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** What was told of one request, once its market is closed. */
async function spanOf(path: string, trustedProxy: readonly string[] = []) {
  const before = collector.spans.length;
  const logger = memoryLogger();
  const end = await startTracing({ protocol: 'http/json', service: 'tried', version: '1', logger });
  ends.push(end);
  const market = await startHarness({ trustedProxy });
  const { status } = await market.call('GET', path, { headers });
  await market.close();
  await end();
  return { status, spans: collector.spans.slice(before) };
}

it('a request goes on with the trace that a trusted proxy names', async () => {
  const { spans } = await spanOf('/v1/list', ['127.0.0.1']);
  expect(spans).toEqual([
    expect.objectContaining({
      name: 'GET /v1/list',
      traceId: TRACE,
      parentSpanId: SPAN,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/v1/list',
        'http.response.status_code': 200,
        'oja.correlation_id': expect.any(String),
      },
    }),
  ]);
});

it('what anybody else sends begins a trace of its own', async () => {
  const { spans } = await spanOf('/v1/list');
  expect(spans).toHaveLength(1);
  expect(spans[0]?.traceId).not.toBe(TRACE);
  expect(spans[0]?.parentSpanId).toBeUndefined();
});

it('a path is not told, and a failure is', async () => {
  expect((await spanOf('/v1/nothing/secret-of-somebody')).spans[0]).toMatchObject({
    name: 'GET /*',
    attributes: { 'http.response.status_code': 404 },
    status: { code: 0 },
  });
  expect((await spanOf('/v1/broken')).spans[0]).toMatchObject({
    attributes: { 'http.response.status_code': 500 },
    status: { code: 2 },
  });
  expect(collector.text()).not.toContain('secret-of-somebody');
});

it('who asks whether the market is there leaves no trace', async () => {
  expect(await spanOf('/healthz')).toEqual({ status: 200, spans: [] });
});
