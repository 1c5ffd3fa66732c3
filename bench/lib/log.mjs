import { writeSamples } from '../../demo/dist/seed/seed.js';

/** Personal values are only copied by what is measured here; sealing a hundred thousand takes keys and time. */
const sealed = Buffer.alloc(48, 7).toString('base64');
const sealer = {
  seal: async (subject, _stream, fields) =>
    Object.fromEntries(Object.keys(fields).map((field) => [field, { sealed, subject }])),
};

/** Fills a log with the market's sample goods and orders, through the rules of the domain. */
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
      forgoLetters: async () => {},
    },
    { products: goods, orders, sellers, seed: 7 },
  );
}
