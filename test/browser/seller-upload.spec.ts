import { expect, type Page, type Request, test } from '@playwright/test';
import sharp from 'sharp';
import { type Market, openMarket, temporaryFolder } from '../support/market.js';
import { phonePhoto } from '../support/pictures.js';
import { openSampleMarket } from '../support/sample-market.js';
import { closePages } from './support/pages.js';
import {
  expectUploaded,
  fillBag,
  freshPage,
  hold,
  logIn,
  pressUpload,
  previews,
  signUp,
  WITH_PICTURES,
} from './support/seller.js';

const STORE = 'Balogun Baskets';
const COLORS = ['red', 'lime', 'blue'] as const;
const IMAGE_HOST = '**/image/upload';
const ADD = '**/v1/add-product';
const FAILED = 'Something went wrong. if this keeps showing please Contact Us';

const folder = temporaryFolder();
let market: Market;
let page: Page;

test.describe.configure({ mode: 'serial' });
test.afterAll(closePages);
test.beforeAll(async ({ browser }) => {
  market = await openSampleMarket(folder.path);
  page = await freshPage(browser, { viewport: { width: 360, height: 740 } });
  await signUp(page, market.url, STORE);
});
test.beforeEach(async () => {
  if (!page.url().endsWith('/upload-product')) await page.goto(`${market.url}/upload-product`);
});
test.afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));
test.afterAll(async () => {
  await page?.context().close();
  expect(await market?.stop()).toBe(0);
  folder.remove();
});

const bag = (name: string) => ({ name, price: 4_000, colors: COLORS });

async function expectKept(name: string): Promise<void> {
  await expect(page.getByRole('button', { name: /^Category/ })).toContainText('Bags');
  await expect(page.getByRole('button', { name: /^State/ })).toContainText('Kasofe');
  await expect(page.getByLabel(/product name/i)).toHaveValue(name);
  await expect(page.getByLabel('Color')).toHaveValue('brown');
  await expect(page.getByLabel(/description/i)).toHaveValue(/twenty kilos/);
  await expect(page.getByLabel('Your price')).toHaveValue('4,000');
  await expect(previews(page)).toHaveCount(COLORS.length);
}

/** The matching requests from now on. */
function asked(address: RegExp, method = 'POST') {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (address.test(request.url()) && request.method() === method) requests.push(request);
  });
  return requests;
}

const keyOf = (request: Request | undefined) => request?.headerValue('idempotency-key');

/** Holds the second picture back; returns a function that releases it. */
async function holdSecondPicture(): Promise<() => void> {
  let sent = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(IMAGE_HOST, async (route) => {
    sent += 1;
    if (sent === 2) await held;
    await route.continue().catch(() => {});
  });
  return release;
}

const secondPicture = () => expect(page.getByText('Picture 2 of 3.')).toBeVisible();
const cards = (name: string) => page.getByRole('article').filter({ hasText: name });

test('a session that ends in the middle costs a login and nothing else', async () => {
  await fillBag(page, bag('Ended session'));
  const release = await holdSecondPicture();
  const pictures = asked(/\/image\/upload$/);
  await pressUpload(page);
  await secondPicture();
  expect((await page.request.delete(`${market.url}/v1/logout`)).status()).toBe(200);
  release();
  await expect(page.getByText('Log in again. Your product is kept.')).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);

  await logIn(page, STORE);
  await expect(page).toHaveURL(/\/upload-product$/);
  await expectKept('Ended session');
  await pressUpload(page);
  await expectUploaded(page, 'Ended session');
  await expect(cards('Ended session')).toHaveCount(1);
  expect(pictures).toHaveLength(COLORS.length);
});

test('a token that expires in the middle is made new unseen', async () => {
  await fillBag(page, bag('Expired token'));
  await page.route(
    ADD,
    (route) => route.fulfill({ status: 403, json: { success: false, message: 'Token expired' } }),
    { times: 1 },
  );
  const posts = asked(/\/v1\/add-product$/);
  const refreshes = asked(/\/v1\/refresh-token$/, 'GET');
  await pressUpload(page);
  await expectUploaded(page, 'Expired token');
  expect(refreshes).toHaveLength(1);
  expect(posts).toHaveLength(2);
  expect(await keyOf(posts[1])).toBe(await keyOf(posts[0]));
});

test('a reload in the middle asks first, and keeps all', async () => {
  await fillBag(page, bag('Reloaded'));
  await holdSecondPicture();
  await pressUpload(page);
  await secondPicture();
  const asks = page.waitForEvent('dialog');
  const reloaded = page.reload();
  const dialog = await asks;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.accept();
  await reloaded;
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  await expectKept('Reloaded');
  const pictures = asked(/\/image\/upload$/);
  await pressUpload(page);
  await expectUploaded(page, 'Reloaded');
  await expect(cards('Reloaded')).toHaveCount(1);
  // The first picture had been uploaded before the reload.
  expect(pictures).toHaveLength(COLORS.length - 1);
});

test('Back in the middle lets it go on, once; Back while typing keeps all', async () => {
  await page.goto(`${market.url}/dashboard`);
  await page.getByRole('main').getByRole('link', { name: 'upload' }).first().click();
  await fillBag(page, bag('Left alone'));
  await page.goBack();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goForward();
  await expectKept('Left alone');

  const release = await holdSecondPicture();
  const posts = asked(/\/v1\/add-product$/);
  await pressUpload(page);
  await secondPicture();
  await page.goBack();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goForward();
  // The form that is shown again shows the same upload and starts no second one.
  await secondPicture();
  await page.goBack();
  release();
  await expectUploaded(page, 'Left alone');
  expect(posts).toHaveLength(1);
});

/** The start of a HEIC file as iPhones make it: the first bytes name the type. */
const heic = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypheic'),
  Buffer.from([0, 0, 0, 0]),
  Buffer.from('mif1heic'),
]);

test('a photo of a phone is taken, however large; a HEIC that cannot be opened says how', async () => {
  const photo = await phonePhoto();
  expect(photo.length).toBeGreaterThan(12_000_000);
  expect(photo.length).toBeLessThan(15_000_000);
  await fillBag(page, { ...bag('From the phone'), colors: ['red'] });
  await page.locator('input[type=file]').setInputFiles([
    { name: 'IMG_0001.jpg', mimeType: 'image/jpeg', buffer: photo },
    { name: 'IMG_0002.HEIC', mimeType: '', buffer: heic },
  ]);
  await expect(page.getByText('IMG_0002.HEIC is a HEIC photo')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/Settings, Camera, Formats, Most Compatible/)).toBeVisible();
  await expect(previews(page)).toHaveCount(2, { timeout: 60_000 });
  await expect(page.getByText('File too large')).toBeHidden();

  const added = page.waitForRequest(ADD);
  await pressUpload(page);
  const { imageUrls } = (await added).postDataJSON();
  await expectUploaded(page, 'From the phone');
  // The image host offers several sizes; this one is the upload itself, scaled down and upright.
  const kept = await page.request.get(String(imageUrls[1]));
  const { width, height } = await sharp(await kept.body()).metadata();
  expect([width, height]).toEqual([1_200, 1_600]);
});

test('a double click on a picture removes one', async () => {
  await fillBag(page, bag('Twice on a picture'));
  // The next picture moves into the place of what was removed.
  await previews(page).first().dblclick();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(1);
  await expect(previews(page)).toHaveCount(COLORS.length - 1);
  await pressUpload(page);
  await expectUploaded(page, 'Twice on a picture');
});

test('a double click on a place chooses it, and presses nothing of the bar below its dialog', async () => {
  await page.getByRole('button', { name: /^State/ }).click();
  const places = page.getByRole('dialog');
  await places.getByRole('button', { name: 'Enugu', exact: true }).click();
  await places.getByRole('button', { name: 'Nsukka', exact: true }).dblclick();
  await expect(page.getByRole('button', { name: /^State/ })).toContainText('Nsukka');
  await expect(page).toHaveURL(/\/upload-product$/);
});

test('a double click sends one product', async () => {
  await fillBag(page, bag('Pressed twice'));
  const posts = asked(/\/v1\/add-product$/);
  const release = await hold(page, ADD);
  await page.getByRole('button', { name: 'Upload', exact: true }).dblclick();
  release();
  await expectUploaded(page, 'Pressed twice');
  expect(posts).toHaveLength(1);
  await expect(cards('Pressed twice')).toHaveCount(1);
});

test('an answer that is lost is asked for again, and there is one product', async () => {
  await fillBag(page, bag('Lost answer'));
  await page.route(
    ADD,
    async (route) => {
      expect((await route.fetch()).status()).toBe(201);
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await pressUpload(page);
  await expectUploaded(page, 'Lost answer');
  await expect(cards('Lost answer')).toHaveCount(1);
});

test('what was changed after an answer that never came is no second product', async () => {
  await fillBag(page, bag('Changed after'));
  await page.route(ADD, async (route) => {
    expect((await route.fetch()).status()).toBe(201);
    await route.abort('connectionreset');
  });
  await pressUpload(page);
  await expect(page.getByText(FAILED)).toBeVisible(WITH_PICTURES);
  await page.unrouteAll();

  await page.getByLabel(/description/i).fill('Woven in Surulere, carries thirty kilos.');
  await pressUpload(page);
  await expectUploaded(page, 'Changed after');
  await expect(cards('Changed after')).toHaveCount(1);
  await cards('Changed after').getByRole('link').first().click();
  await expect(page.getByText('carries thirty kilos')).toBeVisible();
});

test('a market that dies in the middle is waited for with all that was typed and picked', async () => {
  await fillBag(page, bag('Dead server'));
  const release = await holdSecondPicture();
  await pressUpload(page);
  await secondPicture();
  await market.kill();
  release();
  await expect(page.getByText(FAILED)).toBeVisible();
  await expect(page.getByText('Not sent')).toBeVisible();
  await expectKept('Dead server');

  market = await openMarket(folder.path, market.port);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const pictures = asked(/\/image\/upload$/);
  await pressUpload(page);
  await expectUploaded(page, 'Dead server');
  await expect(cards('Dead server')).toHaveCount(1);
  expect(pictures).toHaveLength(COLORS.length - 1);
});

/** Runs in the page: makes all kept pictures a month old, puts others beside them, and names all. */
async function keptPictures(others: Readonly<Record<string, number | null>>): Promise<string[]> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await done(indexedDB.open('oja-upload'));
  const store = database.transaction('pictures', 'readwrite').objectStore('pictures');
  const picture = (days: number | null) =>
    days === null
      ? new Blob(['picture'])
      : new File(['picture'], 'blob', { lastModified: Date.now() - days * 86_400_000 });
  const isAged = Object.keys(others).length > 0;
  if (isAged)
    for (const key of await done(store.getAllKeys())) await done(store.put(picture(31), key));
  for (const [id, days] of Object.entries(others)) await done(store.put(picture(days), id));
  const keys = await done(store.getAllKeys());
  database.close();
  return keys.map(String);
}

test('pictures that no form has any more leave the phone after a month', async () => {
  await fillBag(page, bag('Kept bag'));
  await expect(previews(page)).toHaveCount(COLORS.length);
  const all = await page.evaluate(keptPictures, {
    left: 31,
    picked: 29,
    'of an earlier release': null,
  });
  await page.reload();
  const kept = all.filter((id) => id !== 'left');
  await expect.poll(() => page.evaluate(keptPictures, {})).toEqual(kept);
  await expect(previews(page)).toHaveCount(COLORS.length);
});
