import { randomUUID } from 'node:crypto';
import { writeSamples } from '../../demo/dist/seed/seed.js';

/** Stands in for sealed personal values: measured code only copies them, and sealing 100,000 takes keys and time. */
const sealed = Buffer.alloc(48, 7).toString('base64');
const sealer = {
  seal: async (subject, _stream, fields) =>
    Object.fromEntries(Object.keys(fields).map((field) => [field, { sealed, subject }])),
};

/** Fills a log with sample goods and orders through the rules of the domain. */
export async function fillLog(eventStore, { goods, orders, sellers = 200 }) {
  const kept = new Map();
  let payments = 0;
  await writeSamples(
    {
      eventStore,
      sealer,
      clock: { now: () => Date.now() },
      state: {
        put: async (_space, key, value) => kept.set(key, { value }),
        get: async (_space, key) => kept.get(key) ?? null,
      },
      makePayment: async () => ({ providerId: String(++payments), fees: 10_000 }),
      setPassword: async () => {},
      suppressLetters: async () => {},
    },
    { products: goods, orders, sellers, seed: 7 },
  );
}

const data = { productId: randomUUID(), name: 'Ankara tote', price: 1_150_000, state: 'Lagos' };

/** A new event of the size of a listing, to measure an append with. */
export function anEvent() {
  const id = randomUUID();
  const time = new Date().toISOString();
  const metadata = {
    actor: 'bench',
    commandId: id,
    correlationId: id,
    causationId: id,
    time,
    schemaVersion: 1,
  };
  return { id, type: 'ProductListed', data, metadata };
}
