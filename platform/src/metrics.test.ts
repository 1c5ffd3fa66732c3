import { expect, it } from 'vitest';
import { createMetrics } from './metrics.js';

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
});
