import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createEmbeddedEventStore,
  createEmbeddedKeys,
  createEmbeddedState,
  createSealer,
  type EventStore,
  type Keys,
  type State,
  systemClock,
} from '@oja/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedingOf, writeSamples } from './seed.js';

const SIZE = { sellers: 3, products: 120, orders: 5, seed: 9 };
const folder = mkdtempSync(join(tmpdir(), 'oja-seed-'));
const at = (name: string) => join(folder, name);
let eventStore: EventStore;
let state: State;
let keys: Keys;

beforeAll(async () => {
  eventStore = await createEmbeddedEventStore({ file: at('log') });
  state = await createEmbeddedState({ file: at('state') });
  keys = await createEmbeddedKeys({ file: at('keys'), masterKey: randomBytes(32) });
});
afterAll(async () => {
  await Promise.all([eventStore.close(), state.close(), keys.close()]);
  rmSync(folder, { recursive: true });
});

function seed(watched: Pick<Parameters<typeof writeSamples>[0], 'onProgress' | 'signal'> = {}) {
  const tools = { eventStore, state, clock: systemClock, sealer: createSealer(keys) };
  const people = { setPassword: async () => {}, suppressLetters: async () => {} };
  const makePayment = async () => ({ providerId: '1', fees: 0 });
  return writeSamples({ ...tools, ...people, makePayment, ...watched }, SIZE);
}

async function typesOf(): Promise<Readonly<Record<string, number>>> {
  const types: Record<string, number> = {};
  for await (const { type } of eventStore.readAll({ after: null }))
    types[type] = (types[type] ?? 0) + 1;
  return types;
}

const progress = () => seedingOf(state, SIZE, systemClock.now());

it('stops where Ctrl-C finds it, with all that was begun written, and makes the rest next time', async () => {
  const pressed = new AbortController();
  const onProgress = (done: number) => {
    if (done === SIZE.sellers + 50) pressed.abort(new Error('Stopped by a person'));
  };
  await expect(seed({ onProgress, signal: pressed.signal })).rejects.toThrow('Stopped by a person');
  expect(await typesOf()).toMatchObject({ SellerRegistered: 3, ProductListed: 50 });
  expect(await progress()).toBe('begun');
  await seed();
  const whole = await typesOf();
  expect(whole).toMatchObject({ SellerRegistered: 3, ProductListed: 120, OrderPlaced: 5 });
  expect(await progress()).toBe('done');
  const told: (readonly [number, number])[] = [];
  await seed({ onProgress: (...stands) => told.push(stands) });
  expect(await typesOf()).toEqual(whole);
  // The last item is the whole, reviews among them.
  const all = 3 + 120 + 5 + (whole.ReviewPosted ?? 0);
  expect(told.at(-1)).toEqual([all, all]);
});
