import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  completeConfig,
  currentCorrelation,
  inSpan,
  inTrace,
  inTraceIfNotEmpty,
  isTraced,
  type Logger,
  openEngines,
  planStart,
  type RecordedEvent,
  startBatch,
  startSpan,
  startTracing,
  systemClock,
  traceparent,
  withCorrelation,
} from '@oja/platform';
import { afterEach, describe, expect, it } from 'vitest';
import { openCollector } from '../../test/support/collector.js';
import { freePort } from '../../test/support/free-port.js';

type Line = {
  readonly fields: object;
  readonly message: string;
  /** The request that the line is said to concern. */
  readonly request: string | undefined;
};

/** Lines that the current test logged. Each logger has its own list, so late lines of an earlier test stay out. */
let lines: Line[] = [];

function openLog(): Logger {
  const own: Line[] = [];
  lines = own;
  const write = (fields: object, message: string) =>
    void own.push({ fields, message, request: currentCorrelation() });
  const logger: Logger = {
    debug: write,
    info: write,
    warn: write,
    error: write,
    fatal: write,
    child: () => logger,
  };
  return logger;
}
const messages = () => lines.map(({ message }) => message);

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  for (const name of Object.keys(process.env))
    if (name.startsWith('OTEL_')) delete process.env[name];
});

async function trace(env: Readonly<Record<string, string>>): Promise<() => Promise<void>> {
  Object.assign(process.env, env);
  const logger = openLog();
  const begun = await startTracing({
    protocol: 'http/json',
    service: 'tried',
    version: '1',
    logger,
  });
  let ended: Promise<void> | undefined;
  const end = () => (ended ??= begun());
  ends.push(end);
  return end;
}

async function traced(env: Readonly<Record<string, string>> = {}) {
  const collector = await openCollector();
  ends.push(() => collector.close());
  return { collector, end: await trace({ ...collector.env, ...env }) };
}

const aTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const aSpan = '00f067aa0ba902b7';
const REMOTE = `00-${aTrace}-${aSpan}-01`;

const anEvent = (type: string, about: Partial<RecordedEvent['metadata']>) =>
  ({ type, metadata: { time: new Date().toISOString(), ...about } }) as RecordedEvent;

describe('A process that is not traced', () => {
  it('just works', async () => {
    expect(isTraced()).toBe(false);
    expect(startSpan('asked', {})).toBeNull();
    expect(await inTrace('begun', {}, async () => traceparent())).toEqual({});
    await expect(inSpan('part', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});

describe('A process that is traced', () => {
  it('tells what was a part of what, and nothing outside of a trace', async () => {
    const { collector, end } = await traced();
    await inSpan('alone', {}, async () => undefined);
    await inTrace('whole', { kind: 'server' }, async () =>
      inSpan('part', { attributes: { count: 2 } }, async (span) => span.set({ result: 'done' })),
    );
    await end();
    expect(collector.spans.map((span) => collector.pathTo(span))).toEqual([
      ['whole', 'part'],
      ['whole'],
    ]);
    expect(collector.spans[0]).toMatchObject({
      service: 'tried',
      attributes: { count: 2, result: 'done' },
    });
    expect(isTraced()).toBe(false);
  });

  it('tells of what is done again and again only where something came of it', async () => {
    const { collector, end } = await traced();
    expect(await inTraceIfNotEmpty('sweep nothing', {}, async () => 'none')).toBe('none');
    await inTraceIfNotEmpty('sweep refund', {}, () => inSpan('part', {}, async () => undefined));
    await inTraceIfNotEmpty('sweep payout', {}, () =>
      inTrace('command', {}, async () => undefined),
    );
    const failing = inTraceIfNotEmpty('sweep failing', {}, () =>
      Promise.reject(new TypeError('no')),
    );
    await expect(failing).rejects.toThrow('no');
    await end();
    expect(collector.spans.map((span) => collector.pathTo(span).join(' > '))).toEqual([
      'sweep refund > part',
      'sweep refund',
      'sweep payout > command',
      'sweep payout',
      'sweep failing',
    ]);
  });

  it('goes on with the trace that another process began, where that is one', async () => {
    const { collector, end } = await traced();
    await inTrace('on', { from: REMOTE }, async () => undefined);
    for (const from of ['', 'nonsense', `00-${'0'.repeat(32)}-${aSpan}-01`])
      await inTrace('anew', { from }, async () => undefined);
    await end();
    const [on, ...anew] = collector.spans;
    expect(on).toMatchObject({ traceId: aTrace, parentSpanId: aSpan });
    expect(anew).toHaveLength(3);
    for (const span of anew) expect(span.parentSpanId).toBeUndefined();
  });

  it('hands on what names its span', async () => {
    await traced();
    const given = await inTrace('on', { from: REMOTE }, async () => traceparent());
    expect(given.traceparent).toMatch(new RegExp(`^00-${aTrace}-[0-9a-f]{16}-01$`));
    expect(given.traceparent).not.toBe(REMOTE);
  });

  it('tells the name of an error, and not its words', async () => {
    const { collector, end } = await traced();
    const refused = inTrace('sent', {}, async () => {
      throw new TypeError('550 <ada@example.com> is unknown');
    });
    await expect(refused).rejects.toThrow(TypeError);
    await end();
    expect(collector.spans).toEqual([
      expect.objectContaining({ attributes: { 'error.type': 'TypeError' }, status: { code: 2 } }),
    ]);
    expect(collector.text()).not.toContain('ada@example.com');
  });

  it('is set up by the variables of OpenTelemetry', async () => {
    const { collector, end } = await traced({
      OTEL_SERVICE_NAME: 'named',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tried',
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    });
    await inTrace('anew', {}, async () => {
      // The trace is not sampled, and its `traceparent` tells the next service so (flags 00).
      expect(traceparent().traceparent).toMatch(/-00$/);
    });
    await inTrace('on', { from: REMOTE }, async () => undefined);
    await end();
    expect(collector.spans).toMatchObject([{ name: 'on', service: 'named' }]);
    expect(collector.text()).toContain('deployment.environment.name');
  });

  it('takes a job up as a part of the trace in which it was asked for, whoever wakes the worker', async () => {
    const { collector, end } = await traced();
    const folder = mkdtempSync(join(tmpdir(), 'oja-traced-'));
    ends.push(async () => rmSync(folder, { recursive: true }));
    const plan = planStart({ DATA_DIR: folder }, { everything: true });
    const config = plan.ok ? completeConfig(plan.value, folder) : null;
    if (!config?.ok) throw new Error('no configuration');
    const engines = await openEngines(config.value, {
      clock: systemClock,
      logger: openLog(),
      sandboxOrigin: '',
    });
    const { jobs } = engines;
    await jobs.add('letters', {}, { id: 'of-nobody' });
    await inTrace('order', {}, () => jobs.add('letters', {}, { id: 'of-an-order' }));
    const done: string[] = [];
    await inTrace('waker', {}, async () => {
      jobs.work('letters', async ({ id }) => void done.push(id));
    });
    await expect.poll(() => done).toHaveLength(2);
    await engines.close();
    await end();
    const paths = collector.spans
      .filter(({ name }) => name === 'job letters')
      .map((span) => [span.attributes['oja.job'], ...collector.pathTo(span)]);
    expect(paths).toEqual([
      ['of-nobody', 'job letters'],
      ['of-an-order', 'order', 'enqueue letters', 'job letters'],
    ]);
  });

  it('gives each command of a batch its own span, and none to what is no news', async () => {
    const { collector, end } = await traced();
    const other = REMOTE.replace(aTrace, aTrace.replace('4', '5'));
    const batch = startBatch('project shelf', [
      anEvent('Placed', { traceparent: REMOTE }),
      anEvent('Counted', { traceparent: other }),
      anEvent('Paid', { traceparent: REMOTE }),
      anEvent('Untraced', {}),
      anEvent('Replayed', { traceparent: REMOTE.replace('4', '6'), time: '2026-01-02T03:04:05Z' }),
    ]);
    batch.end({ 'oja.result': 'committed' });
    await end();
    const told = { 'oja.batch': 5, 'oja.result': 'committed' };
    expect(collector.spans).toMatchObject([
      {
        traceId: aTrace,
        parentSpanId: aSpan,
        attributes: { 'oja.events': 'Placed Paid', ...told },
      },
      { traceId: other.split('-')[1], attributes: { 'oja.events': 'Counted', ...told } },
    ]);
  });
});

describe('A collector', () => {
  const briefly = { OTEL_EXPORTER_OTLP_TIMEOUT: '200', OTEL_BSP_SCHEDULE_DELAY: '10' };
  const work = async (times: number) => {
    for (let i = 0; i < times; i += 1)
      await withCorrelation('a-request', () => inTrace('work', {}, async () => undefined));
  };

  it('that is away costs a line when it goes and one with the count when it is back', async () => {
    const port = await freePort();
    const at = `http://127.0.0.1:${port}`;
    await trace({ OTEL_EXPORTER_OTLP_ENDPOINT: at, ...briefly });
    // More spans than the exporter keeps.
    for (let batch = 0; batch < 10; batch += 1) await work(1_000);
    await expect.poll(messages).toEqual(['the tracing collector accepts no spans: they are lost']);
    expect(lines[0]?.fields).toEqual({ why: expect.stringContaining('ECONNREFUSED') });
    const server = createServer((_, response) => void response.end('{}')).listen(port, '127.0.0.1');
    ends.push(async () => server.close());
    await expect
      .poll(async () => {
        await work(1);
        return messages().slice(1);
      })
      .toEqual(['the tracing collector accepts spans again']);
    expect(lines[1]?.fields).toEqual({ lost: expect.any(Number) });
    expect(lines.map(({ request }) => request)).toEqual([undefined, undefined]);
  });

  it('that never answers does not hold up an end', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    let open = 0;
    server.on('request', (_, response) => {
      open += 1;
      response.on('close', () => (open -= 1));
    });
    ends.push(async () => {
      server.closeAllConnections();
      server.close();
    });
    const end = await trace({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
    await work(3);
    await end();
    expect(open).toBe(1);
    expect(lines).toEqual([
      { fields: { lost: 3 }, message: 'tracing spans were lost since the start' },
    ]);
  });
});
