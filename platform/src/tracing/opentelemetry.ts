import {
  type Context,
  DiagLogLevel,
  diag,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { outsideLogContext } from '../logging/correlation.js';
import type { Logger } from '../logging/port.js';
import type { Span, Tracer } from './trace.js';

export interface TracingOptions {
  readonly protocol: 'http/json' | 'http/protobuf';
  /** The process's name, as in its log; `OTEL_SERVICE_NAME` overrides it. */
  readonly service: string;
  readonly version: string;
  readonly logger: Logger;
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

class SdkSpan implements Span {
  constructor(readonly inner: OtelSpan) {}

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.inner.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`;
  }
  rename(name: string): void {
    this.inner.updateName(name);
  }
  set(attributes: Parameters<Span['set']>[0]): void {
    this.inner.setAttributes(attributes);
  }
  failed(error: unknown): void {
    this.inner.setAttribute('error.type', error instanceof Error ? error.name : String(error));
    this.inner.setStatus({ code: SpanStatusCode.ERROR });
  }
  end(): void {
    this.inner.end();
  }
}

function contextOf(parent: Span | string | null): Context {
  if (parent instanceof SdkSpan) return trace.setSpan(ROOT_CONTEXT, parent.inner);
  const named = typeof parent === 'string' ? parseTraceParent(parent) : null;
  return named === null
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, { ...named, isRemote: true });
}

/** Node reports a refused connection by a code, and without a message when it tried two addresses. */
const whyOf = (error: Error | undefined): string =>
  error?.message || (error !== undefined && 'code' in error ? String(error.code) : 'no answer');

/** Logs one line when an outage of the collector begins and one when it ends, with the number of lost spans. */
function reportingOutages(exporter: SpanExporter, logger: Logger) {
  let lost = 0;
  const counts = { sent: 0 };
  // Spans are sent from within some request, which the lines do not concern.
  const tell = (level: 'info' | 'warn', fields: object, message: string) =>
    outsideLogContext(() => logger[level](fields, message));
  const counted: SpanExporter = {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code === ExportResultCode.SUCCESS) {
          counts.sent += spans.length;
          if (lost > 0) tell('info', { lost }, 'the tracing collector accepts spans again');
          lost = 0;
        } else {
          if (lost === 0)
            tell(
              'warn',
              { why: whyOf(result.error) },
              'the tracing collector accepts no spans: they are lost',
            );
          lost += spans.length;
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
  return { counted, counts };
}

/** A span processor that counts the spans given to it for sending. */
class CountingProcessor extends BatchSpanProcessor {
  given = 0;

  override onEnd(span: ReadableSpan): void {
    if (span.spanContext().traceFlags & TraceFlags.SAMPLED) this.given += 1;
    super.onEnd(span);
  }
}

const exporterOf = async (protocol: TracingOptions['protocol']): Promise<SpanExporter> => {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
};

/**
 * Sets up OpenTelemetry's SDK from its environment variables. Only the diagnostic logger and the error
 * handler are registered globally, and nothing is instrumented automatically.
 */
export async function openTelemetry({ protocol, service, version, logger }: TracingOptions) {
  const complain = (words: string) =>
    logger.warn({ trouble: words }, 'OpenTelemetry reported a problem');
  const quiet = () => {};
  const diagnostics = { error: complain, warn: quiet, info: quiet, debug: quiet, verbose: quiet };
  diag.setLogger(diagnostics, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
  // Export failures are logged by `reportingOutages`.
  setGlobalErrorHandler(quiet);

  const { counted, counts } = reportingOutages(await exporterOf(protocol), logger);
  const processor = new CountingProcessor(counted);
  const own = resourceFromAttributes({
    'service.namespace': 'oja',
    'service.name': service,
    'service.version': version,
  });
  const provider = new BasicTracerProvider({
    // The environment variables are merged last, so they take precedence.
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [processor],
  });
  const inner = provider.getTracer('oja', version);
  const tracer: Tracer = {
    start: (name, { kind = 'internal', attributes = {} }, parent) =>
      new SdkSpan(inner.startSpan(name, { kind: kinds[kind], attributes }, contextOf(parent))),
  };
  return {
    tracer,
    /** Sends the remaining spans. @throws when they could not be sent. */
    flush: () => provider.shutdown(),
    /** How many spans have not arrived at the collector so far. */
    lost: () => processor.given - counts.sent,
  };
}
