import {
  businessName,
  contact,
  type Decider,
  inbox,
  operations,
  product,
  productEvents,
  review,
  seller,
  streamCategory,
  streamSubject,
  transaction,
} from '@oja/domain';
import type { EventStore, RecordedEvent } from '@oja/platform';
import type { Answer } from '../../answers/index.js';
import { withoutSealed } from './format-event.js';

/** The state of a stream at a moment. */
type StreamAtTime = Extract<Answer<'events show'>, { readonly at: string }>;

type Fold = (events: readonly RecordedEvent[]) => unknown;

const foldOf = <S, C, E>({ category, initial, parse, evolve }: Decider<S, C, E>) => {
  const fold: Fold = (events) =>
    events.reduce((state, { type, data }) => {
      const event = parse(type, data);
      return event === null ? state : evolve(state, event);
    }, initial);
  return [category, fold] as const;
};

/** What gives the state of a stream, by the category of the stream. */
const folds: ReadonlyMap<string, Fold> = new Map([
  foldOf(product),
  foldOf(transaction),
  foldOf(seller),
  foldOf(businessName),
  foldOf(review),
  foldOf(inbox),
  foldOf(contact),
  foldOf(operations),
]);

const stateOf = (stream: string, events: readonly RecordedEvent[]): unknown =>
  withoutSealed(folds.get(streamCategory(stream))?.(events) ?? null);

const isUpTo = ({ metadata }: RecordedEvent, at: string) => metadata.time <= at;

async function goodsOf(
  eventStore: EventStore,
  sellerId: string,
  at: string,
): Promise<Readonly<Record<string, unknown>>> {
  const streams = new Map<string, RecordedEvent[]>();
  for await (const event of eventStore.readAll({ after: null })) {
    if (!Object.hasOwn(productEvents, event.type)) continue;
    if (event.data.sellerId !== sellerId || !isUpTo(event, at)) continue;
    streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
  }
  return Object.fromEntries(
    [...streams].map(([stream, events]) => [streamSubject(stream), stateOf(stream, events)]),
  );
}

/** The state of any stream at a moment; a seller's stream comes with the goods. `at`: ISO 8601 in UTC. */
export async function readStreamAt(
  eventStore: EventStore,
  stream: string,
  at: string,
): Promise<StreamAtTime> {
  const events: RecordedEvent[] = [];
  for await (const event of eventStore.readStream(stream))
    if (isUpTo(event, at)) events.push(event);
  const revision = events.at(-1)?.revision ?? null;
  const state = revision === null ? null : stateOf(stream, events);
  const was = { stream, at, revision, state };
  if (streamCategory(stream) !== seller.category || revision === null) return was;
  const sellerId = streamSubject(stream);
  return { ...was, goods: await goodsOf(eventStore, sellerId, at) };
}
