import { randomUUID } from 'node:crypto';
import { createPasswords } from '@oja/command-service';
import { HOUR_MS } from '@oja/domain';
import {
  type Clock,
  createSealer,
  type EventStore,
  type Keys,
  type Position,
  type State,
} from '@oja/platform';
import { forgoLetters, skipReactionsTo } from '@oja/projector';
import { v5 } from 'uuid';
import { adoptPayment } from '../paystack-sandbox/index.js';
import { generateSamples } from '../samples/samples.js';
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

/** Appends under way at once: enough for the log's group commit, little enough for its memory. */
const IN_FLIGHT = 1_000;

interface SampleWriter {
  /** Resolves when there is room for more; a failed append is told by `flush`. */
  write(stream: SampleStream): Promise<void>;
  /** Waits for all that was written; the position of the last of them. */
  flush(): Promise<Position | null>;
}

/** Thrown where a stream is there already and holds something else than this sample. */
class NotOurs extends Error {
  override readonly name = 'NotOurs';
}

/**
 * Begins streams with events whose ids follow from their names: what a killed seeding had written is
 * answered as the first time, so that seeding again finishes it.
 */
function createSampleWriter(eventStore: EventStore): SampleWriter {
  const correlationId = randomUUID();
  const underWay = new Set<Promise<void>>();
  /** Who waits for room, told by who ends: a race of all that is under way would cost each of them. */
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

/** What the first start of a demo makes. */
export const FIRST_SEED: SampleSize = { sellers: 12, products: 240, orders: 40, seed: 1 };

const SPACE = 'seed';

interface SeedDeps extends OrderTools {
  readonly eventStore: EventStore;
  readonly state: State;
  readonly clock: Clock;
  /** Sets a password, as a registration does. */
  readonly setPassword: (sellerId: string, password: string) => Promise<void>;
  /** Sample buyers are nobody: no letter goes to them. */
  readonly forgoLetters: (transactionId: string) => Promise<void>;
  /** Called as things are written: of how many, how many are done. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Stops it at a place from which the same seeding goes on. */
  readonly signal?: AbortSignal;
}

const keyOf = ({ seed, sellers, products, orders }: SampleSize) =>
  `${seed}-${sellers}-${products}-${orders}`;

/** How far a seeding of this size has come. */
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
 * Writes sample goods through the market's own rules. Ids follow from the seed and the moment is kept
 * at the first try, so that a seeding that was killed is finished by the next and none happens twice.
 * Answers the position of the last event: reactions are to be moved past it. @throws the signal's reason.
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
  const total = sellers.length + size.products + size.orders;
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
    await deps.forgoLetters(sampleId('order', key, order.index));
    await writer.write(await orderStream(order, goods, key, now, deps));
    await tick();
  }
  for (const review of samples.reviews)
    await writer.write(reviewStream(review, key, ago(review.postedHoursAgo)));

  const position = await writer.flush();
  await state.put(SPACE, key, { at: now, done: true }, clock.now());
  return position;
}

/** An open market, as far as sample goods need it. */
interface SeededMarket {
  readonly config: { readonly publicUrl: string };
  readonly engines: {
    readonly eventStore: EventStore;
    readonly state: State;
    readonly keys: Keys;
  };
  readonly clock: Clock;
}

/** Seeds an open market; nobody is written to or pushed to about what was seeded. @throws the signal's reason. */
export async function seedMarket(
  { config, engines, clock }: SeededMarket,
  size: SampleSize,
  watched: Pick<SeedDeps, 'onProgress' | 'signal'> = {},
): Promise<void> {
  const { eventStore, state, keys } = engines;
  const passwords = createPasswords(state);
  const callbackUrl = `${config.publicUrl}/payment/verify`;
  const position = await writeSamples(
    {
      eventStore,
      state,
      sealer: createSealer(keys),
      makePayment: (payment) => adoptPayment(state, clock, { ...payment, callbackUrl }),
      clock,
      setPassword: (sellerId, password) => passwords.set(sellerId, password, clock.now()),
      forgoLetters: (transactionId) => forgoLetters(state, transactionId, clock.now()),
      ...watched,
    },
    size,
  );
  if (position !== null) await skipReactionsTo(eventStore, state, position, clock.now());
}

/** Sample goods for a demo's first start, or the rest of them where that start was killed. */
export async function seedFirstStart(
  market: SeededMarket,
  say: (line: string) => void,
): Promise<void> {
  const { engines, clock } = market;
  const seeding = await seedingOf(engines.state, FIRST_SEED, clock.now());
  // A market that has lived without samples gets none.
  const lived = seeding === 'none' && (await engines.eventStore.head()) !== null;
  if (seeding === 'done' || lived) return;
  say('Making sample goods …');
  await seedMarket(market, FIRST_SEED);
}
