import { randomUUID } from 'node:crypto';
import { modelNames } from '@oja/contracts/models/names';
import type { JsonObject } from '@oja/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Market, openMarket, temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import { oja, ojaJson } from './support/oja.js';
import { appendUnruled, type Opened, openFiles } from './support/opened.js';

interface Row {
  readonly model: string;
  readonly stream: string;
  readonly revision: number;
  readonly events: number;
  readonly error: string;
}

const folder = temporaryFolder();
let market: Market;
let opened: Opened;
let stream: string;
let productId: string;
let sellerId: string;

beforeAll(async () => {
  market = await openSampleMarket(folder.path);
  opened = await openFiles(folder.path);
  for await (const event of opened.eventStore.readAll({ after: null })) {
    if (event.type !== 'ProductListed') continue;
    stream = event.stream;
    ({ productId, sellerId } = event.data as { productId: string; sellerId: string });
    break;
  }
}, 120_000);

afterAll(async () => {
  await opened?.close();
  await market?.stop();
  folder.remove();
});

const append = (revision: number, type: string, data: JsonObject, to: string = stream) =>
  appendUnruled(opened.eventStore, to, revision, type, data);

const parked = async (): Promise<readonly Row[]> =>
  ojaJson<Row[]>(folder.path, ['quarantine', 'list']);
const models = async () => (await parked()).map(({ model }) => model.split('_')[0]).sort();

async function descriptionOf(): Promise<string> {
  const answer = await fetch(`${market.url}/v1/product/${productId}`);
  return ((await answer.json()) as { result: { description: string } }).result.description;
}

it('sets one stream aside, shows why, and goes on once the event is passed over', async () => {
  await append(1, 'ProductUpdated', { productId, sellerId, price: 'a lot' });
  await append(2, 'ProductUpdated', { productId, sellerId, description: 'After the bad one' });
  await expect.poll(models, { timeout: 60_000 }).toEqual(['catalogue', 'timeline']);
  await expect.poll(async () => (await parked()).map(({ events }) => events)).toEqual([2, 2]);
  expect(await parked()).toMatchObject([
    { stream, revision: 1 },
    { stream, revision: 1 },
  ]);

  const status = await oja(folder.path, ['status', '--check']);
  expect(status.code).toBe(1);
  expect(status.text).toContain(`catalogue has parked ${stream}`);
  expect(await oja(folder.path, ['verify', 'catalogue'])).toMatchObject({ code: 1 });
  const told = () => oja(folder.path, ['events', 'show', 'operations']);
  await expect
    .poll(async () => (await told()).text.match(/StreamQuarantined/g)?.length, { timeout: 30_000 })
    .toBe(2);

  const readable = 'price: Invalid input: expected number, received string';
  expect((await parked()).map(({ error }) => error)).toEqual([readable, readable]);
  const listed = await oja(folder.path, ['quarantine', 'list']);
  expect(listed.lines).toHaveLength(3);
  for (const line of listed.lines.slice(1)) expect(line).toMatch(new RegExp(` ${readable}$`));
  const shown = await oja(folder.path, ['quarantine', 'show', 'catalogue', stream]);
  expect(shown.lines[0]).toMatch(
    new RegExp(`^catalogue_v\\d+_g\\d+ stopped ${stream} at revision 1: ${readable}$`),
  );
  expect(shown.text).toContain('After the bad one');
  const retried = await oja(folder.path, ['quarantine', 'retry', 'catalogue', stream]);
  expect(retried.code).toBe(1);
  expect(retried.text).toMatch(/waits as before/);

  const unexplained = await oja(folder.path, ['quarantine', 'skip', 'catalogue', stream]);
  expect(unexplained.code).toBe(2);
  const because = ['--reason', 'written by a test'];
  const early = ['quarantine', 'skip', 'catalogue', stream, '--through', '0', ...because];
  const refused = await oja(folder.path, early);
  expect(refused).toMatchObject({ code: 2, text: expect.stringMatching(/waits at revision 1/) });
  expect(await parked()).toHaveLength(2);
  for (const projection of ['catalogue', 'timeline']) {
    const skip = ['quarantine', 'skip', projection, stream, ...because];
    expect(await oja(folder.path, skip)).toMatchObject({ code: 0 });
  }
  expect(await parked()).toEqual([]);
  await expect.poll(descriptionOf).toBe('After the bad one');
  // It follows the log again.
  await append(3, 'ProductUpdated', { productId, sellerId, description: 'And later' });
  await expect.poll(descriptionOf).toBe('And later');
  const said = await oja(folder.path, ['events', 'show', 'operations']);
  expect(said.text).toMatch(/StreamQuarantined .*"projection":"catalogue"/);
  expect(said.text).toMatch(/StreamReleased .*written by a test/);
  // Whoever builds it anew passes over the same event.
  expect(await oja(folder.path, ['verify', 'catalogue'])).toMatchObject({ code: 0 });
  expect(await oja(folder.path, ['replay', 'catalogue', '--yes'])).toMatchObject({ code: 0 });
  expect(await descriptionOf()).toBe('And later');
}, 120_000);

it.each([
  [
    ['quarantine', 'show', 'catalog', 'product-1'],
    /no projection 'catalog'; the nearest is catalogue/,
  ],
  [['quarantine', 'retry', 'sellers', 'seller-1'], /sellers has not parked a stream 'seller-1'/],
])('answers %j with one sentence and exit 2', async (args, sentence) => {
  const { code, lines } = await oja(folder.path, [...args]);
  expect(code).toBe(2);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(sentence);
});

const commentsOf = async () => {
  const answer = await fetch(`${market.url}/v1/comments`);
  return { status: answer.status, text: await answer.text() };
};

const review = (comment: string) =>
  fetch(`${market.url}/v1/add-comment`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      comment_text: comment,
      ratingData: { bar1: 0, bar2: 0, bar3: 0, bar4: 1, bar5: 0 },
    }),
  });

it('an event that stops a whole read model closes what needs it, not the market, until it is passed over', async () => {
  const bad = `review-${randomUUID()}`;
  await append(0, 'ReviewPosted', { reviewId: bad, stars: 'many' }, bad);
  await expect.poll(parked, { timeout: 30_000 }).toMatchObject([{ stream: bad, revision: 0 }]);
  expect((await review('Good yams')).status).toBe(201);
  expect(await market.stop()).toBe(0);

  market = await openMarket(folder.path);
  for (const path of ['/', '/v1/products/search?limit=1'])
    expect((await fetch(`${market.url}${path}`)).status).toBe(200);
  expect((await commentsOf()).text).not.toContain('Good yams');
  const status = await oja(folder.path, ['status', '--check']);
  expect(status.code).toBe(1);
  expect(status.text).toContain(`reviews has stopped at revision 0 of ${bad}`);
  const proof = await oja(folder.path, ['verify']);
  expect(proof).toMatchObject({
    code: 1,
    text: expect.stringMatching(
      new RegExp(`it has stopped at ${bad}: .*oja quarantine show reviews`),
    ),
  });
  const others = modelNames.filter((name) => name !== 'reviews');
  for (const name of others)
    expect(proof.text).toMatch(new RegExp(`^${name} v\\d+ g\\d+: .*equal to a clean rebuild`, 'm'));
  expect(proof.text).toContain('the ledger is balanced');
  // The way on that a failed build names is the one that works.
  const built = await oja(folder.path, ['replay', 'start', 'reviews']);
  expect(built).toMatchObject({ code: 1, text: expect.stringMatching(/cannot be projected/) });
  const [, clean = ''] = /delete the new generation with oja (.*)\.$/.exec(built.text) ?? [];
  expect(await oja(folder.path, [...clean.split(' '), '--yes'])).toMatchObject({ code: 0 });
  const retried = await oja(folder.path, ['quarantine', 'retry', 'reviews', bad]);
  expect(retried).toMatchObject({ code: 1, text: expect.stringMatching(/waits as before/) });

  const skip = ['quarantine', 'skip', 'reviews', bad, '--reason', 'written by a test'];
  const beyond = String(Number.MAX_SAFE_INTEGER);
  expect(await oja(folder.path, [...skip, '--through', beyond])).toMatchObject({ code: 0 });
  const said = await oja(folder.path, ['events', 'show', 'operations']);
  expect(said.text).toContain('"skipped":[0]');
  await expect.poll(async () => (await commentsOf()).text).toContain('Good yams');
  expect(await parked()).toEqual([]);
  expect(await oja(folder.path, ['verify', 'reviews'])).toMatchObject({ code: 0 });
}, 120_000);
