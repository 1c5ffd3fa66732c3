import { randomUUID } from 'node:crypto';
import { createPasswords, paymentReturnUrl } from '@oja/command-service';
import { HOUR_MS } from '@oja/domain';
import {
  type Clock,
  createSealer,
  type EventStore,
  type Keys,
  type Position,
  type State,
} from '@oja/platform';
import { skipReactionsTo, suppressLetters } from '@oja/projector';
import { v5 } from 'uuid';
import { adoptPayment } from '../paystack-sandbox/sandbox.js';
import { generateSamples, reviewCount } from '../samples/samples.js';
import type { SampleSeller, SampleSize } from '../samples/types.js';
import {
  type Goods,
  type OrderTools,
  orderStream,
  productStream,
  reviewStream,
  type SampleStream,
  sampleCommandId,
  sampleId,
  sampleSellerId,
  sellerStreams,
} from './streams.js';

/** Concurrent appends: enough to fill the log's group commits, few enough for its memory. */
const IN_FLIGHT = 1_000;

interface SampleWriter {
  /** Resolves when there is room for another append. A failed append makes a later `write` or `flush` throw. */
  write(stream: SampleStream): Promise<void>;
  /** Waits for all appends; returns the position of the last event, or null when nothing was written. */
  flush(): Promise<Position | null>;
}

/** Thrown when a stream already exists and holds something other than this sample. */
class NotOurs extends Error {
  override readonly name = 'NotOurs';
}

/**
 * Begins streams with events whose ids are derived from the streams' names. An append that a killed
 * seeding already made is answered as it was the first time, so that seeding again finishes the rest.
 */
function createSampleWriter(eventStore: EventStore): SampleWriter {
  const correlationId = randomUUID();
  const underWay = new Set<Promise<void>>();
  /**
   * Callers that wait for room; each append that ends wakes one. A `Promise.race` would cost work
   * per append in flight.
   */
  const waiting: (() => void)[] = [];
  let failure: unknown = null;
  let last: Position | null = null;

  async function append({ stream, events, times }: SampleStream): Promise<void> {
    const commandId = sampleCommandId(stream);
    const appended = await eventStore.append(
      stream,
      'no-stream',
      events.map(({ type, data }, index) => ({
        id: v5(String(index), commandId),
        type,
        data,
        metadata: {
          actor: 'seed',
          commandId,
          correlationId,
          causationId: commandId,
          time: times[index] ?? times[0] ?? '',
          schemaVersion: 1,
        },
      })),
    );
    if (!appended.ok) throw new NotOurs(`${stream} is there already and is not a sample`);
    if (last === null || appended.position > last) last = appended.position;
  }

  return {
    async write(stream) {
      if (failure !== null) throw failure;
      if (underWay.size >= IN_FLIGHT) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
      const one = append(stream)
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => {
          underWay.delete(one);
          waiting.shift()?.();
        });
      underWay.add(one);
    },
    async flush() {
      await Promise.all(underWay);
      if (failure !== null) throw failure;
      return last;
    },
  };
}

/** The size of the seeding that a demo's first start makes. */
export const FIRST_SEED: SampleSize = { sellers: 12, products: 240, orders: 40, seed: 1 };

/** Bytes that one sample of a kind takes on disk, in the log and in the read models; measured in markets of thousands. */
const BYTES = { sellers: 6_000, products: 7_000, orders: 26_000 } as const;

/** About how many bytes samples of this size take on disk once the read models show them. */
export const sampleBytes = ({ sellers, products, orders }: SampleSize): number =>
  sellers * BYTES.sellers + products * BYTES.products + orders * BYTES.orders;

const SPACE = 'seed';

interface SeedDeps extends OrderTools {
  readonly eventStore: EventStore;
  readonly state: State;
  readonly clock: Clock;
  /** Sets a password as a registration does. */
  readonly setPassword: (sellerId: string, password: string) => Promise<void>;
  /** Marks an order's letters as not to be sent: sample buyers do not exist. */
  readonly suppressLetters: (transactionId: string) => Promise<void>;
  /** Called after each item: how many of the total are done. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Stops the seeding at a point from which the same seeding can continue. */
  readonly signal?: AbortSignal;
}

const keyOf = ({ seed, sellers, products, orders }: SampleSize) =>
  `${seed}-${sellers}-${products}-${orders}`;

/** The progress of a seeding of this size. */
export async function seedingOf(
  state: State,
  size: SampleSize,
  now: number,
): Promise<'none' | 'begun' | 'done'> {
  const entry = await state.get<{ done: boolean }>(SPACE, keyOf(size), now);
  if (entry === null) return 'none';
  return entry.value.done ? 'done' : 'begun';
}

/**
 * Writes sample goods through the market's own rules. Ids are derived from the seed and the moment of
 * the first attempt is kept, so that the next run finishes a killed seeding and writes nothing twice.
 * Returns the position of the last event; reactions must be moved past it. @throws the signal's reason.
 */
export async function writeSamples(deps: SeedDeps, size: SampleSize): Promise<Position | null> {
  const { state, clock, sealer } = deps;
  const key = keyOf(size);
  await state.put(SPACE, key, { at: clock.now(), done: false }, clock.now(), { if: 'absent' });
  const begun = await state.get<{ at: number; done: boolean }>(SPACE, key, clock.now());
  const now = begun?.value.at ?? clock.now();
  const ago = (hours: number) => new Date(now - hours * HOUR_MS).toISOString();

  const samples = generateSamples(size);
  const writer = createSampleWriter(deps.eventStore);
  const sellers: SampleSeller[] = [...samples.sellers];
  const total = sellers.length + size.products + size.orders + reviewCount(size.orders);
  let done = 0;
  async function tick(): Promise<void> {
    deps.onProgress?.(++done, total);
    if (deps.signal?.aborted !== true) return;
    await writer.flush();
    deps.signal.throwIfAborted();
  }

  for (const seller of sellers) {
    for (const stream of await sellerStreams(seller, ago(seller.joinedHoursAgo), sealer))
      await writer.write(stream);
    await deps.setPassword(sampleSellerId(seller.businessName), seller.password);
    await tick();
  }
  const wanted = new Set<number>();
  for (const { lines } of samples.orders) for (const line of lines) wanted.add(line.productIndex);
  const ordered = new Map<number, Goods>();
  for (const product of samples.products) {
    const seller = sellers[product.sellerIndex];
    if (!seller) throw new Error(`product ${product.index} has no seller`);
    if (wanted.has(product.index)) ordered.set(product.index, { product, seller });
    const sellerId = sampleSellerId(seller.businessName);
    await writer.write(productStream(product, sellerId, key, ago(product.listedHoursAgo)));
    await tick();
  }
  for (const order of samples.orders) {
    const goods = order.lines.flatMap((line) => ordered.get(line.productIndex) ?? []);
    await deps.suppressLetters(sampleId('order', key, order.index));
    await writer.write(await orderStream(order, goods, key, now, deps));
    await tick();
  }
  for (const review of samples.reviews) {
    await writer.write(reviewStream(review, key, ago(review.postedHoursAgo)));
    await tick();
  }

  const position = await writer.flush();
  await state.put(SPACE, key, { at: now, done: true }, clock.now());
  return position;
}

/** The parts of an open market that seeding needs. */
interface SeededMarket {
  readonly config: { readonly publicUrl: string };
  readonly engines: {
    readonly eventStore: EventStore;
    readonly state: State;
    readonly keys: Keys;
  };
  readonly clock: Clock;
}

/** Seeds an open market; no letter and no push is sent about the seeded events. @throws the signal's reason. */
export async function seedMarket(
  { config, engines, clock }: SeededMarket,
  size: SampleSize,
  watched: Pick<SeedDeps, 'onProgress' | 'signal'> = {},
): Promise<void> {
  const { eventStore, state, keys } = engines;
  const passwords = createPasswords(state);
  const callbackUrl = paymentReturnUrl(config.publicUrl);
  const position = await writeSamples(
    {
      eventStore,
      state,
      sealer: createSealer(keys),
      makePayment: (payment) => adoptPayment(state, clock, { ...payment, callbackUrl }),
      clock,
      setPassword: (sellerId, password) => passwords.set(sellerId, password, clock.now()),
      suppressLetters: (transactionId) => suppressLetters(state, transactionId, clock.now()),
      ...watched,
    },
    size,
  );
  if (position !== null) await skipReactionsTo(eventStore, state, position, clock.now());
}

/** Seeds a demo at its first start, or finishes the seeding of one that was killed. @throws the signal's reason. */
export async function seedFirstStart(
  market: SeededMarket,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { engines, clock } = market;
  const seeding = await seedingOf(engines.state, FIRST_SEED, clock.now());
  // A market that has events but no samples gets none.
  const lived = seeding === 'none' && (await engines.eventStore.head()) !== null;
  if (seeding === 'done' || lived) return;
  say('Making sample goods …');
  await seedMarket(market, FIRST_SEED, { signal });
}
