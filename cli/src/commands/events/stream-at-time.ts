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

function fold<S, C, E>(decider: Decider<S, C, E>, events: readonly RecordedEvent[]): S {
  return events.reduce((state, { type, data }) => {
    const event = decider.parse(type, data);
    return event === null ? state : decider.evolve(state, event);
  }, decider.initial);
}

function stateOf(stream: string, events: readonly RecordedEvent[]): unknown {
  switch (streamCategory(stream)) {
    case product.category:
      return fold(product, events);
    case transaction.category:
      return fold(transaction, events);
    case seller.category:
      return fold(seller, events);
    case businessName.category:
      return fold(businessName, events);
    case review.category:
      return fold(review, events);
    case inbox.category:
      return fold(inbox, events);
    case contact.category:
      return fold(contact, events);
    case operations.category:
      return fold(operations, events);
    default:
      return null;
  }
}

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
    [...streams].map(([stream, events]) => [
      streamSubject(stream),
      withoutSealed(fold(product, events)),
    ]),
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
  const state = revision === null ? null : withoutSealed(stateOf(stream, events));
  const was = { stream, at, revision, state };
  if (streamCategory(stream) !== seller.category || revision === null) return was;
  const sellerId = streamSubject(stream);
  return { ...was, goods: await goodsOf(eventStore, sellerId, at) };
}
