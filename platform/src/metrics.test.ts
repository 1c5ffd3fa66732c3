import { afterEach, expect, it, vi } from 'vitest';
import { createMetrics } from './metrics.js';

afterEach(() => void vi.useRealTimers());

it('tells requests, conflicts, lag and the event loop in the text format', async () => {
  const metrics = createMetrics();
  metrics.observeRequest('GET', '/v1/products/:id', 200, 0.02);
  metrics.countAppendConflict('product');
  metrics.setProjectionLag('catalogue', { events: 3, seconds: 1.5 });
  const { body } = await metrics.text();
  for (const line of [
    'oja_http_request_duration_seconds_bucket{le="0.025",method="GET",route="/v1/products/:id",status="200"} 1',
    'oja_append_conflicts_total{category="product"} 1',
    'oja_projection_lag_events{projection="catalogue"} 3',
    'oja_projection_lag_seconds{projection="catalogue"} 1.5',
    'nodejs_eventloop_lag_p99_seconds',
  ]) {
    expect(body).toContain(line);
  }
  metrics.setProjectionLag('catalogue', null);
  expect((await metrics.text()).body).not.toContain('catalogue');
});

it('leaves out a figure that cannot be had, and tells the others', async () => {
  const metrics = createMetrics();
  const away = () => Promise.reject(new Error('the store is away'));
  metrics.measure({ name: 'oja_gone', help: 'One' }, away);
  metrics.measure({ name: 'oja_gone_by_kind', help: 'Several', label: 'kind' }, away);
  metrics.measure({ name: 'oja_there', help: 'One' }, async () => [['', 3]]);
  const { body } = await metrics.text();
  expect(body).not.toMatch(/^oja_gone/m);
  expect(body).toMatch(/^oja_there 3$/m);
});

it('answers a scrape within the time of Prometheus while a store is silent', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const metrics = createMetrics();
  metrics.measure({ name: 'oja_silent', help: 'One' }, () => new Promise(() => undefined));
  metrics.measure({ name: 'oja_there', help: 'One' }, async () => [['', 3]]);
  const scraped = metrics.text();
  await vi.advanceTimersByTimeAsync(5_000);
  const { body } = await scraped;
  expect(body).not.toMatch(/^oja_silent/m);
  expect(body).toMatch(/^oja_there 3$/m);
});

it('has no gauge that is named like a counter', async () => {
  const { body } = await createMetrics().text();
  expect(body).toContain('nodejs_active_resources{');
  expect(body).not.toMatch(/^# TYPE \S+_total gauge$/m);
});
