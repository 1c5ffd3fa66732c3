import type { EventStore } from '../eventstore/port.js';
import type { Jobs } from '../jobs/port.js';
import type { Keys } from '../keys/port.js';
import type { Mail } from '../mail.js';
import type { PaymentAnswer, Payments } from '../payments/port.js';
import type { State } from '../state/port.js';
import { inSpan, inTrace, traceparent } from './trace.js';

/** Events store the trace context of their append, so that work that follows from them continues the trace. */
const tracedEventStore = (eventStore: EventStore): EventStore => ({
  ...eventStore,
  append(stream, expected, events) {
    const attributes = {
      'oja.stream': stream,
      'oja.events': events.map(({ type }) => type).join(' '),
    };
    return inSpan('append', { kind: 'producer', attributes }, async (span) => {
      const marked = events.map((event) => ({
        ...event,
        metadata: { ...event.metadata, ...traceparent() },
      }));
      const result = await eventStore.append(stream, expected, marked);
      span.set(
        result.ok
          ? { 'oja.revision': result.revision, 'oja.position': result.position }
          : { 'oja.result': result.reason },
      );
      return result;
    });
  },
});

/** Jobs store the trace context of the code that adds them, unless their data has the event's context already. */
const tracedJobs = (jobs: Jobs): Jobs => ({
  ...jobs,
  add: (queue, data, options) =>
    inSpan(`enqueue ${queue}`, { kind: 'producer', attributes: { 'oja.job': options.id } }, () =>
      jobs.add(queue, { ...traceparent(), ...data }, options),
    ),
  work: (queue, handler, options) =>
    jobs.work(
      queue,
      (job) => {
        const { traceparent: asked } = job.data;
        // Never the current span: the code that wakes a worker need not have added the job.
        const from = typeof asked === 'string' ? asked : '';
        const attributes = { 'oja.job': job.id, 'oja.attempt': job.attempt };
        return inTrace(`job ${queue}`, { kind: 'consumer', attributes, from }, () => handler(job));
      },
      options,
    ),
});

/** Keys in State may be names and addresses, so spans show only the space. */
const tracedState = (state: State): State => ({
  ...state,
  put: (space, ...rest) =>
    inSpan('state put', { attributes: { 'oja.space': space } }, () => state.put(space, ...rest)),
  delete: (space, ...rest) =>
    inSpan('state delete', { attributes: { 'oja.space': space } }, () =>
      state.delete(space, ...rest),
    ),
});

const tracedKeys = (keys: Keys): Keys => ({
  ...keys,
  obtain: (subject) =>
    inSpan('keys obtain', { attributes: { 'oja.subject': subject } }, () => keys.obtain(subject)),
  destroy: (subject) =>
    inSpan('keys destroy', { attributes: { 'oja.subject': subject } }, () => keys.destroy(subject)),
});

function tracedPayments(payments: Payments): Payments {
  /** A span with the name and the result of a provider call, but nothing of its content. */
  const asking =
    <A extends readonly unknown[], T>(
      name: string,
      ask: (...given: A) => Promise<PaymentAnswer<T>>,
    ) =>
    (...given: A) =>
      inSpan(`payments ${name}`, { kind: 'client' }, async (span) => {
        const answer = await ask(...given);
        span.set({ 'oja.result': answer.ok ? 'ok' : answer.reason });
        return answer;
      });
  return {
    ...payments,
    initialize: asking('initialize', payments.initialize),
    verify: asking('verify', payments.verify),
    refunds: asking('refunds', payments.refunds),
    refund: asking('refund', payments.refund),
    createRecipient: asking('createRecipient', payments.createRecipient),
    transfer: asking('transfer', payments.transfer),
    verifyTransfer: asking('verifyTransfer', payments.verifyTransfer),
  };
}

const tracedMail = (mail: Mail): Mail => ({
  ...mail,
  send: (letter) =>
    inSpan('mail send', { kind: 'client', attributes: { 'oja.letter': letter.id } }, () =>
      mail.send(letter),
    ),
});

interface Traceable {
  readonly eventStore: EventStore;
  readonly jobs: Jobs;
  readonly state: State;
  readonly keys: Keys;
  readonly payments: Payments;
  readonly mail: Mail;
}

/** Wraps the engines so that their writes and external calls get spans within a trace. */
export const tracedEngines = <E extends Traceable>(engines: E): E => ({
  ...engines,
  eventStore: tracedEventStore(engines.eventStore),
  jobs: tracedJobs(engines.jobs),
  state: tracedState(engines.state),
  keys: tracedKeys(engines.keys),
  payments: tracedPayments(engines.payments),
  mail: tracedMail(engines.mail),
});
