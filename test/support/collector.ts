import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';

const attribute = z.object({
  key: z.string(),
  value: z.object({
    stringValue: z.string().optional(),
    intValue: z.number().optional(),
    boolValue: z.boolean().optional(),
  }),
});
const attributes = z
  .array(attribute)
  .transform((all) =>
    Object.fromEntries(
      all.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.boolValue]),
    ),
  );
const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              attributes,
              status: z.object({ code: z.number() }),
            }),
          ),
        }),
      ),
    }),
  ),
});

type ExportedSpan = z.infer<
  typeof exported
>['resourceSpans'][number]['scopeSpans'][number]['spans'][number];

export interface SpanSeen extends ExportedSpan {
  /** `service.name` of the process that sent the span. */
  readonly service: string;
}

/** An OTLP/HTTP collector that takes JSON and keeps everything it receives. */
export async function openCollector() {
  const bodies: string[] = [];
  const spans: SpanSeen[] = [];
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    bodies.push(body);
    for (const { resource, scopeSpans } of exported.parse(JSON.parse(body)).resourceSpans) {
      const service = String(resource.attributes['service.name']);
      for (const scope of scopeSpans)
        spans.push(...scope.spans.map((span) => ({ ...span, service })));
    }
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** Makes a market send its traces here, each span soon after it has ended. */
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
    spans: spans as readonly SpanSeen[],
    /** All request bodies, unchanged. */
    text: () => bodies.join('\n'),
    /** The span names from the root of the trace down to this span. */
    pathTo(span: SpanSeen): readonly string[] {
      const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
      return [...(parent === undefined ? [] : this.pathTo(parent)), span.name];
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
