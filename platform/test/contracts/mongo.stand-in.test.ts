import { randomBytes } from 'node:crypto';
import {
  createMongoDocuments,
  createMongoKeys,
  createMongoState,
  type Documents,
  WrongMasterKey,
} from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { finding } from './documents.finding.js';
import { checkpoints, goods, put, remove } from './documents.fixture.js';
import { answeringLikeTheModel } from './documents.property.js';
import { storing } from './documents.storing.js';
import type { Fixture } from './fixture.js';
import { keysContract, rotationContract } from './keys.js';
import { createStandIn } from './mongo-stand-in.js';
import { stateContract } from './state.js';

const url = 'mongodb://nowhere/oja';
const nothingToRemove = async () => {};

async function documents(): Promise<Fixture<Documents>> {
  const { connect } = createStandIn();
  return {
    open: () => createMongoDocuments({ url, connect }),
    address: '',
    remove: nothingToRemove,
  };
}

/** The contract without the parts that need child processes. */
describe("Documents: the MongoDB adapter's meaning, on a stand-in", () => {
  storing(documents);
  finding(documents);
  answeringLikeTheModel(documents, { rounds: 60, goods: 250 });
});

it('names the fields that stand otherwise beside a document than in it', async () => {
  const { connect } = createStandIn();
  const engine = await createMongoDocuments({ url, connect });
  await engine.ensure([goods]);
  const document = { name: 'lg tv', open: true, tags: ['x'] };
  await engine.commit([put('a', document), put('b', document)]);
  const { client, name } = await connect();
  const db = client.db(name);
  const made = db.collection<{ _id: string; place: string }>('market.collections');
  const { place = '' } = (await made.findOne({ _id: goods.name })) ?? {};
  const changed = { 'f.open': false, 'l.tags': [], 't.name': ['lg'] };
  await db.collection<{ _id: string }>(place).updateOne({ _id: 'a' }, { $set: changed });
  expect(await engine.misindexed(goods.name)).toEqual([
    { id: 'a', fields: ['open', 'tags', 'name'] },
  ]);
  await engine.commit([remove('a'), put('a', document)]);
  expect(await engine.misindexed(goods.name)).toEqual([]);
  await engine.close();
});

it('lets exactly one of two adapters through at each step of a checkpoint', async () => {
  const { open } = await documents();
  const [one, other] = [await open(), await open()];
  await one.ensure([goods, checkpoints]);
  const steps = 40;
  const race = async (engine: Documents, name: string): Promise<number[]> => {
    const won: number[] = [];
    for (let at = 0; at < steps; ) {
      const expected = await engine.get<{ at: number }>(checkpoints.name, 'at');
      at = (expected?.at ?? 0) + 1;
      if (at > steps) break;
      const operations = [put('at', { at }, checkpoints.name), put(`${name}-${at}`, {})];
      const guards = [{ collection: checkpoints.name, id: 'at', expected }];
      if ((await engine.commit(operations, guards)) === 'committed') won.push(at);
    }
    return won;
  };
  const won = (await Promise.all([race(one, 'a'), race(other, 'b')])).flat();
  expect(won.sort((a, b) => a - b)).toEqual(Array.from({ length: steps }, (_, i) => i + 1));
  expect(await one.count(goods.name, [])).toBe(steps);
  await Promise.all([one.close(), other.close()]);
});

stateContract("State: the MongoDB adapter's meaning, on a stand-in", async () => {
  const { connect } = createStandIn();
  return { open: () => createMongoState({ url, connect }), remove: nothingToRemove };
});

keysContract("Keys: the MongoDB adapter's meaning, on a stand-in", async () => {
  const { connect } = createStandIn();
  const masterKey = randomBytes(32);
  return {
    open: () => createMongoKeys({ url, connect, masterKey }),
    masterKey,
    remove: nothingToRemove,
  };
});

rotationContract('Rotation of the master key: MongoDB, on a stand-in', async () => {
  const { connect } = createStandIn();
  return {
    open: (masterKey, fallback) =>
      createMongoKeys({ url, connect, masterKey, fallback: fallback ?? null }),
    remove: nothingToRemove,
  };
});

it('keys under another master key are refused', async () => {
  const { connect } = createStandIn();
  const open = (masterKey: Buffer) => createMongoKeys({ url, connect, masterKey });
  const masterKey = randomBytes(32);
  await open(masterKey);
  await expect(open(randomBytes(32))).rejects.toThrow(WrongMasterKey);
  await expect(open(randomBytes(16))).rejects.toThrow(RangeError);
  await open(masterKey);
});

it('a look at a server makes nothing there, and still knows a wrong master key', async () => {
  const { connect } = createStandIn();
  const look = { url, connect, createsNothing: true };
  const [one, other] = [randomBytes(32), randomBytes(32)];
  const documents = await createMongoDocuments(look);
  const state = await createMongoState(look);
  const keys = await createMongoKeys({ ...look, masterKey: one });
  expect(await documents.collections()).toEqual([]);
  expect(await state.spaces()).toEqual([]);
  expect(await keys.kept(null)).toEqual([]);
  const { client, name } = await connect();
  expect(await client.db(`${name}_keys`).collection('probes').find({}).toArray()).toEqual([]);
  // The market that opens then may have another one.
  await createMongoKeys({ url, connect, masterKey: other });
  await expect(createMongoKeys({ ...look, masterKey: one })).rejects.toThrow(WrongMasterKey);
});
