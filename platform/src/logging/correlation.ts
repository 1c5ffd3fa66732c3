import { AsyncLocalStorage } from 'node:async_hooks';
import { setSpanAttributes } from '../tracing/trace.js';

/** The request or job that the current code runs for. */
interface LogContext {
  readonly correlationId: string;
  /** The id of the order that the request or job concerns, once known. */
  order?: string;
}

const storage = new AsyncLocalStorage<LogContext>();

/** Runs `work`, and everything it awaits, under one correlation id. */
export function withCorrelation<T>(correlationId: string, work: () => T): T {
  setSpanAttributes({ 'oja.correlation_id': correlationId });
  return storage.run({ correlationId }, work);
}

/** Runs `work` outside any request or job: its log lines concern more than the request that caused them. */
export function outsideLogContext(work: () => void): void {
  storage.exit(work);
}

/** The correlation id of the current request or job; undefined outside of any. */
export function currentCorrelation(): string | undefined {
  return storage.getStore()?.correlationId;
}

/** Adds the order to all further log lines of this request or job. The id alone gives no access to the order. */
export function addOrderToLogContext(order: string): void {
  const story = storage.getStore();
  if (story) story.order ??= order;
  setSpanAttributes({ 'oja.order': order });
}

/** The fields that every log line of the current request or job gets. */
export const currentLogContext = (): Readonly<Partial<LogContext>> => storage.getStore() ?? {};
