import { join } from 'node:path';
import { catalogue, ledger } from '@oja/contracts/models';
import { modelNames } from '@oja/contracts/models/names';
import {
  CHECKPOINTS,
  type Checkpoint,
  collectionName,
  type Document,
  files,
  generationKey,
  generationOf,
  modelKey,
  openSql,
  POINTERS,
  type Pointer,
} from '@oja/platform';
import { switchTo } from '@oja/projector';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Market, runOja, temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import { oja, ojaInto, ojaJson } from './support/oja.js';
import { type Opened, openFiles } from './support/opened.js';
import { openTraffic, type Traffic } from './support/traffic.js';

const PATIENCE = { timeout: 60_000, interval: 2 };

const folder = temporaryFolder();
let market: Market;
let opened: Opened;
let traffic: Traffic;

beforeAll(async () => {
  market = await openSampleMarket(folder.path);
  opened = await openFiles(folder.path);
  traffic = await openTraffic(market.url);
}, 120_000);

afterAll(async () => {
  await traffic?.stop();
  await opened?.close();
  await market?.stop();
  folder.remove();
});

async function pointerOf(model: typeof catalogue | typeof ledger): Promise<Pointer> {
  const pointer = await opened.documents.get<Pointer>(POINTERS, modelKey(model));
  if (pointer === null) throw new Error('there is no pointer');
  return pointer;
}

/** How far the generation that is being built has come; null while none has begun to. */
async function halfBuilt(): Promise<string | null> {
  const { building } = await pointerOf(catalogue);
  if (building === null) return null;
  const key = generationKey(catalogue, building);
  return (await opened.documents.get<Checkpoint>(CHECKPOINTS, key))?.position ?? null;
}

/** Begins a replay and kills it once the condition holds, as a power cut would. */
async function killedWhen(condition: (said: readonly string[]) => Promise<unknown> | unknown) {
  const replay = runOja(['replay', 'catalogue'], { DATA_DIR: folder.path });
  await vi.waitUntil(() => condition(replay.lines), PATIENCE);
  replay.process.kill('SIGKILL');
  await replay.exited;
  return replay.lines;
}

const saying = (word: string) => (said: readonly string[]) =>
  said.some((line) => line.startsWith(word));

async function operationsOf(type: string): Promise<readonly object[]> {
  const found: object[] = [];
  for await (const event of opened.eventStore.readStream('operations'))
    if (event.type === type) found.push(event.data);
  return found;
}

it('goes on where it was killed, in each of its phases, and readers notice nothing', async () => {
  const before = await pointerOf(catalogue);
  const next = before.last + 1;

  await killedWhen(halfBuilt);
  expect(await pointerOf(catalogue)).toMatchObject({ live: before.live, building: next });

  await killedWhen(saying('Comparing'));
  expect(await pointerOf(catalogue)).toMatchObject({
    live: before.live,
    building: null,
    last: next,
  });

  await killedWhen(saying('Switching'));
  const between = await pointerOf(catalogue);
  expect([before.live, next]).toContain(between.live);
  expect(between.last).toBe(next);

  await killedWhen(saying('Cleaning'));
  expect(await pointerOf(catalogue)).toMatchObject({ live: next, last: next });

  const ended = await oja(folder.path, ['replay', 'catalogue']);
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.text).toContain(`read from generation ${next}`);
  expect(await pointerOf(catalogue)).toEqual({
    live: next,
    previous: null,
    fed: [next],
    building: null,
    last: next,
  });
  const collections = await opened.documents.collections();
  const generations = new Set(
    collections.map((name) => generationOf(catalogue, name)).filter((of) => of !== null),
  );
  expect([...generations]).toEqual([next]);

  // However often it was killed, each fact is recorded once.
  expect(await operationsOf('ReplayRequested')).toMatchObject([
    { projection: 'catalogue', generation: next },
  ]);
  expect(await operationsOf('ReplaySwitched')).toMatchObject([
    { projection: 'catalogue', to: next },
  ]);
  const [looks, changes] = [traffic.looks(), traffic.changes()];
  await vi.waitUntil(() => traffic.looks() > looks && traffic.changes() > changes, PATIENCE);
  expect(traffic.complaints).toEqual([]);
}, 300_000);

it('records from which generation was switched, also when it was killed right after the switch', async () => {
  const { live, last } = await pointerOf(catalogue);
  await killedWhen(saying('Comparing'));
  expect(await switchTo(opened.documents, catalogue, last + 1)).toMatchObject({ ok: true });
  expect(await oja(folder.path, ['replay', 'catalogue'])).toMatchObject({ code: 0 });
  expect((await operationsOf('ReplaySwitched')).at(-1)).toMatchObject({ from: live, to: last + 1 });
}, 300_000);

it('stops at Ctrl-C, says so, and goes on when it is run again', async () => {
  const before = await pointerOf(catalogue);
  const replay = runOja(['replay', 'catalogue'], { DATA_DIR: folder.path });
  await vi.waitUntil(halfBuilt, PATIENCE);
  expect(await replay.stop()).toBe(130);
  const clean = await oja(folder.path, ['replay', 'clean', 'catalogue', '--yes']);
  expect(clean).toMatchObject({
    code: 1,
    text: expect.stringMatching(/is being built, perhaps by somebody else/),
  });
  expect(replay.lines.at(-1)).toBe('Stopped; run the same command again to continue.');
  expect(await pointerOf(catalogue)).toMatchObject({ live: before.live });
  expect(await oja(folder.path, ['replay', 'catalogue'])).toMatchObject({ code: 0 });
  expect(await pointerOf(catalogue)).toMatchObject({
    live: before.last + 1,
    last: before.last + 1,
  });
  expect(traffic.complaints).toEqual([]);
}, 300_000);

it('does step by step what it does at once, and goes back', async () => {
  const before = await pointerOf(catalogue);
  const next = before.last + 1;
  const plan = await ojaJson<{ events: number; read: number }>(folder.path, [
    'replay',
    'plan',
    'catalogue',
  ]);
  expect(plan.read).toBeGreaterThan(240);
  expect(plan.events).toBeGreaterThanOrEqual(plan.read);
  const step = (name: string, ...more: string[]) =>
    ojaJson<object>(folder.path, ['replay', name, 'catalogue', ...more]);
  expect(await step('start')).toMatchObject({ generation: next });
  expect(await step('verify')).toMatchObject({ ok: true, differences: [], next });
  expect(await step('switch')).toMatchObject({ from: before.live, to: next });
  expect(await pointerOf(catalogue)).toMatchObject({ live: next });
  const twice = await oja(folder.path, ['replay', 'switch', 'catalogue']);
  expect(twice).toMatchObject({
    code: 1,
    lines: [
      `Generation ${next} of catalogue is live, and none is built after it. To go back to ${before.live}: oja replay rollback catalogue.`,
    ],
  });
  expect(await pointerOf(catalogue)).toMatchObject({ live: next });
  expect(await step('rollback')).toMatchObject({ from: next, to: before.live });
  const again = await oja(folder.path, ['replay', 'rollback', 'catalogue']);
  expect(again).toMatchObject({
    code: 1,
    lines: [
      `catalogue was rolled back already: it is read from generation ${before.live}. To take generation ${next} again: oja replay switch catalogue.`,
    ],
  });
  expect(await pointerOf(catalogue)).toMatchObject({ live: before.live });
  const unsure = await oja(folder.path, ['replay', 'clean', 'catalogue']);
  expect(unsure).toMatchObject({ code: 2 });
  expect(await step('clean', '--yes')).toEqual({ generations: [next], versions: [] });
  expect(traffic.complaints).toEqual([]);
}, 300_000);

it('proves that everything is equal to a clean rebuild while the market sells', async () => {
  const changes = traffic.changes();
  const verified = await oja(folder.path, ['verify', '--json']);
  expect(verified).toMatchObject({ code: 0, lines: [expect.stringMatching(/^\{"ok":true/)] });
  expect(JSON.parse(verified.text)).toMatchObject({
    ok: true,
    ledger: { unbalanced: [], wrongSums: [] },
  });
  expect(traffic.changes()).toBeGreaterThan(changes);
}, 300_000);

async function tamper(
  model: typeof catalogue | typeof ledger,
  short: string,
  change: Document,
): Promise<string> {
  const collection = collectionName(model, (await pointerOf(model)).live, short);
  const { items } = await opened.documents.find(collection, { limit: 1 });
  const [first] = items;
  if (first === undefined) throw new Error(`${collection} is empty`);
  const document = { ...first.document, ...change };
  await opened.documents.commit([{ type: 'put', collection, id: first.id, document }]);
  return first.id;
}

it('builds several one after the other, up to the first that fails, and says which are done', async () => {
  const id = await tamper(catalogue, 'products', { price: 1 });
  const ledgerBefore = await pointerOf(ledger);
  const stopped = await oja(folder.path, ['replay', 'sellers', 'catalogue', 'ledger']);
  expect(stopped.code).toBe(1);
  expect(stopped.text).toMatch(/^sellers \(1 of 3\)$/m);
  expect(stopped.text).toContain('Done: sellers. The rest: oja replay catalogue ledger');
  expect(stopped.text).not.toContain('ledger (3 of 3)');
  expect(await pointerOf(ledger)).toEqual(ledgerBefore);
  expect((await oja(folder.path, ['replay', 'clean', 'catalogue', '--yes'])).code).toBe(0);
  await ojaJson(folder.path, ['replay', 'catalogue', '--stream', `product-${id}`]);
  const both = await oja(folder.path, ['replay', 'sellers', 'ledger']);
  expect(both).toMatchObject({ code: 0 });
  expect(both.lines.at(-1)).toBe('2 read models rebuilt: sellers, ledger.');
  expect(await pointerOf(ledger)).toMatchObject({ live: ledgerBefore.last + 1 });
  const all = await ojaJson<readonly { projection: string }[]>(folder.path, ['replay', '--all']);
  expect(all.map(({ projection }) => projection)).toEqual(modelNames);
  for (const [args, sentence] of [
    [['replay'], /^Say which projection: /],
    [['replay', '--all', 'ledger'], /^Say --all or 'ledger', and not both/],
    [['replay', 'plan', 'ledger', 'sellers'], /with one projection: oja replay plan ledger\.$/],
    [['replay', 'ledger', 'selers'], /no projection 'selers'; the nearest is sellers/],
    [
      ['replay', 'ledger', 'sellers', '--stream', 'x'],
      /one projection: name exactly one projection/,
    ],
  ] as const)
    expect(await oja(folder.path, args)).toMatchObject({
      code: 2,
      lines: [expect.stringMatching(sentence)],
    });
}, 300_000);

it('goes on to its end when nobody reads what it says any more', async () => {
  const before = await pointerOf(ledger);
  const both = await ojaInto(folder.path, ['replay', 'sellers', 'ledger'], '| head -n 1');
  expect(both).toEqual({ code: 0, text: 'sellers (1 of 2)' });
  expect(await pointerOf(ledger)).toMatchObject({ live: before.last + 1 });
  expect(await ojaInto(folder.path, ['replay', 'ledger'], '> /dev/full')).toEqual({
    code: 1,
    text: expect.stringMatching(/^The output could not be written: .*\.$/),
  });
  expect(await pointerOf(ledger)).toMatchObject({ live: before.last + 2 });
}, 120_000);

it('names what differs, stops a replay there, and repairs one stream alone', async () => {
  const id = await tamper(catalogue, 'products', { price: 1 });
  const found = await oja(folder.path, ['verify', 'catalogue', '--json']);
  expect(found.code).toBe(1);
  expect(JSON.parse(found.text)).toMatchObject({
    ok: false,
    models: [
      { differences: [{ collection: 'products', id, kind: 'different', fields: ['price'] }] },
    ],
  });

  const stopped = await oja(folder.path, ['replay', 'catalogue']);
  expect(stopped.code).toBe(1);
  expect(stopped.text).toContain(`products ${id} differs in price`);
  expect(stopped.text).toMatch(/nothing was switched/);
  expect(await oja(folder.path, ['replay', 'clean', 'catalogue', '--yes'])).toMatchObject({
    code: 0,
  });

  const repaired = await ojaJson(folder.path, ['replay', 'catalogue', '--stream', `product-${id}`]);
  expect(repaired).toEqual({ repaired: [{ collection: 'products', id }] });
  expect(await oja(folder.path, ['verify', 'catalogue'])).toMatchObject({ code: 0 });
  expect(traffic.complaints).toEqual([]);
}, 300_000);

it('says that the ledger is not balanced', async () => {
  const id = await tamper(ledger, 'accounts', { cash: 1 });
  const found = await oja(folder.path, ['verify', 'ledger', '--json']);
  expect(found.code).toBe(1);
  expect(JSON.parse(found.text)).toMatchObject({ ok: false, ledger: { unbalanced: [id] } });
  const mended = await oja(folder.path, ['replay', 'ledger']);
  expect(mended.code).toBe(1);
  expect(await oja(folder.path, ['replay', 'switch', 'ledger'])).toMatchObject({ code: 0 });
  expect(await oja(folder.path, ['verify', 'ledger'])).toMatchObject({ code: 0 });
}, 300_000);

it.each([
  [['replay', 'catalogeu'], /no projection 'catalogeu'; the nearest is catalogue/],
  [['replay', 'swich', 'catalogue'], /no replay step 'swich'; the nearest is switch/],
  [['replay', 'switch'], /Say which projection/],
  [['verify', 'sellars'], /no projection 'sellars'; the nearest is sellers/],
  [
    ['replay', 'plan', 'catalogue', '--stream', 'x'],
    /whole model.*: oja replay catalogue --stream x$/,
  ],
  [['replay', 'clean', 'ledger', '--stream', 'x', '--yes'], /oja replay ledger --stream x$/],
  [['replay', 'plan', 'ledger', '--building'], /^Only clean takes --building\.$/],
  [['replay', 'ledger', '--building'], /^Only clean takes --building\.$/],
  [['replay', '--all', '--building'], /^Only clean takes --building\.$/],
  [
    ['replay', 'catalogue', '--stream', 'product-0'],
    /no stream 'product-0'; the nearest is product-/,
  ],
])('answers %j with one sentence and exit 2', async (args, sentence) => {
  const { code, lines } = await oja(folder.path, args);
  expect(code).toBe(2);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(sentence);
});

it('names what only an index says otherwise, and repairs it', async () => {
  // A shopper who looks meanwhile would complain, and rightly.
  await traffic.stop();
  const collection = collectionName(catalogue, (await pointerOf(catalogue)).live, 'products');
  const filter = [{ field: 'shown', op: 'eq', value: true }] as const;
  // Counts are kept apart, and say what the goods say.
  const shown = async () => (await opened.documents.find(collection, { filter })).items.length;
  const before = await shown();
  const [first] = (await opened.documents.find(collection, { limit: 1 })).items;
  const id = first?.id ?? '';
  const sql = openSql(join(folder.path, files.documents), { synchronous: 'NORMAL' });
  sql.run(`UPDATE "${collection}" SET f_shown = 0 WHERE id = ?`, [id]);
  sql.close();
  expect(await shown()).toBe(before - 1);

  const found = await oja(folder.path, ['verify', 'catalogue']);
  expect(found.code).toBe(1);
  expect(found.text).toContain(
    `products ${id} is right, but an index of the live model is wrong about it in shown`,
  );
  const repaired = await ojaJson(folder.path, ['replay', 'catalogue', '--stream', `product-${id}`]);
  expect(repaired).toEqual({ repaired: [{ collection: 'products', id }] });
  expect(await shown()).toBe(before);
  expect(await oja(folder.path, ['verify', 'catalogue'])).toMatchObject({ code: 0 });
}, 300_000);
