import { isOrderOpen, parserOf, receivedStatus, transaction, transactionEvents } from '@oja/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Projection, projections, releaseStream } from '../src/index.js';
import { canonical, MemoryDocuments } from './support/documents.js';
import { contents, dieAfter, follow } from './support/follow.js';
import { interleave, picks } from './support/interleave.js';
import { MemoryLog } from './support/log.js';
import { market, type Stream } from './support/market.js';

function logOf(streams: readonly Stream[], order: readonly number[]): MemoryLog {
  const log = new MemoryLog();
  log.record(interleave(streams, order));
  return log;
}

async function clean(log: MemoryLog, projection: Projection): Promise<MemoryDocuments> {
  const documents = new MemoryDocuments();
  await follow(log, documents, projection, { batchSize: 500 });
  expect([...(documents.tables.get('quarantine') ?? [])]).toEqual([]);
  return documents;
}

type Contents = ReturnType<typeof contents>;

/** The documents without log positions, which depend on the order of the streams. */
function placeless(all: Contents): unknown {
  return Object.fromEntries(
    Object.entries(all).map(([name, rows]) => [
      name,
      Object.entries(rows).map(([id, text]) => {
        const { position: _, ...rest }: { position?: unknown } = JSON.parse(text);
        return [id, canonical(rest)];
      }),
    ]),
  );
}

describe.each(projections.map((projection) => [projection.name, projection] as const))(
  '%s',
  (name, projection) => {
    it('makes the same documents as a clean rebuild, whatever the batches and the kills', async () => {
      const batchSize = fc.integer({ min: 1, max: 500 });
      const kills = fc.array(fc.nat({ max: 6 }), { maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(market, picks, batchSize, kills, async (streams, order, size, deaths) => {
          const log = logOf(streams, order);
          const documents = new MemoryDocuments();
          for (const commits of deaths) await dieAfter(log, documents, projection, commits, size);
          await follow(log, documents, projection, { batchSize: size });
          expect(contents(documents, projection)).toEqual(
            contents(await clean(log, projection), projection),
          );
        }),
        { numRuns: 25 },
      );
    });

    it.skipIf(projection.scope !== 'stream')(
      'makes them also of a stream that is released after others were heard',
      async () => {
        await fc.assert(
          fc.asyncProperty(
            market,
            picks,
            fc.nat(),
            fc.nat(3),
            async (streams, order, n, revision) => {
              const log = logOf(streams, order);
              const names = [...new Set(log.events.map(({ stream }) => stream))];
              const stream = names[n % Math.max(1, names.length)] ?? '';
              const faulty: Projection = {
                ...projection,
                reads(fact, documents) {
                  if (fact.stream === stream && fact.revision >= revision)
                    throw new Error('a faulty release');
                  return projection.reads(fact, documents);
                },
              };
              const documents = new MemoryDocuments();
              await follow(log, documents, faulty, { batchSize: 500 });
              const parked = documents.tables.get('quarantine')?.size ?? 0;
              fc.pre(parked > 0);
              const released = { eventStore: log, documents, projection, generation: 1, stream };
              expect(await releaseStream(released)).toMatchObject({ ok: true });
              expect(contents(documents, projection)).toEqual(
                contents(await clean(log, projection), projection),
              );
            },
          ),
          { numRuns: 25, maxSkipsPerRun: 1_000 },
        );
      },
    );

    // Notices are cleared up to a log position, so there the order of the streams matters.
    it.skipIf(name === 'notifications')(
      'does not mind in which order streams are heard',
      async () => {
        await fc.assert(
          fc.asyncProperty(market, picks, picks, async (streams, one, other) => {
            const [a, b] = await Promise.all([
              clean(logOf(streams, one), projection),
              clean(logOf(streams, other), projection),
            ]);
            expect(placeless(contents(a, projection))).toEqual(placeless(contents(b, projection)));
          }),
          { numRuns: 60 },
        );
      },
    );
  },
);

const named = (name: string): Projection => {
  const projection = projections.find((each) => each.name === name);
  if (projection === undefined) throw new Error(`no projection ${name}`);
  return projection;
};

it('keeps the ledger balanced at every position, in sum and for each order', async () => {
  await fc.assert(
    fc.asyncProperty(market, picks, async (streams, order) => {
      const whole = logOf(streams, order);
      const log = new MemoryLog();
      const documents = new MemoryDocuments();
      for (const event of whole.events) {
        log.record([event]);
        if (!event.stream.startsWith('transaction-')) continue;
        await follow(log, documents, named('ledger'), { batchSize: 500 });
        for (const text of Object.values(contents(documents, named('ledger')).accounts ?? {})) {
          expect(JSON.parse(text)).toMatchObject({ balanced: true });
        }
      }
    }),
    { numRuns: 15 },
  );
});

it('reads of an order what the domain says of it', async () => {
  const parse = parserOf(transactionEvents);
  await fc.assert(
    fc.asyncProperty(market, picks, async (streams, order) => {
      const log = logOf(streams, order);
      const transactions = contents(await clean(log, named('transactions')), named('transactions'));
      const catalogue = contents(await clean(log, named('catalogue')), named('catalogue'));
      for (const [id, text] of Object.entries(transactions.transactions ?? {})) {
        let state = transaction.initial;
        for (const event of log.events) {
          if (event.stream !== `transaction-${id}`) continue;
          const parsed = parse(event.type, event.data);
          if (parsed !== null) state = transaction.evolve(state, parsed);
        }
        if (state.status === 'none' || state.payment === null) continue;
        expect(JSON.parse(text)).toMatchObject({ received: receivedStatus(state.shares) });
        expect(JSON.parse(catalogue.orders?.[id] ?? '{}')).toMatchObject({
          open: isOrderOpen(state),
        });
      }
    }),
    { numRuns: 60 },
  );
});
