import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aKey, type Market, openMarket, type Seller } from './support/market.js';

let market: Market;
let ada: Seller;
beforeAll(async () => {
  market = await openMarket({ demo: false });
  ada = await market.register('Ada Bags');
});
afterAll(() => market.close());

const ratingData = { bar1: 0, bar2: 0, bar3: 0, bar4: 1, bar5: 0 };
let addresses = 0;
/** Posts a review, from an address that was not used before unless `from` is given. */
const comment = (body: object, options: { token?: string; key?: string; from?: string } = {}) => {
  addresses += 1;
  const { from = `203.0.113.${addresses}`, ...rest } = options;
  return market.call('POST', '/v1/add-comment', {
    ...rest,
    body: { comment_text: 'Fine goods', ratingData, ...body },
    headers: { 'X-Forwarded-For': from },
  });
};
async function posted(commentId: string): Promise<object> {
  for await (const { data } of market.deps.eventStore.readStream(`review-${commentId}`))
    return data;
  return {};
}

describe('a review', () => {
  it.each([
    ['without a name', {}],
    ['with null for one, as reviews are listed', { businessName: null }],
  ])('is anonymous %s, also of somebody who is signed in', async (_, body) => {
    const { status, json, headers } = await comment(body, { token: ada.token });
    expect(status).toBe(201);
    expect(headers.get('Oja-Position')).not.toBeNull();
    expect(await posted(json.comment_id)).toMatchObject({
      businessName: null,
      sellerId: null,
      comment: 'Fine goods',
      stars: 4,
    });
  });

  it('stands under the name of the seller who is signed in, and under no other', async () => {
    const own = await comment({ businessName: 'ada bags' }, { token: ada.token });
    expect(await posted(own.json.comment_id)).toMatchObject({
      businessName: 'Ada Bags',
      sellerId: ada.id,
    });
    for (const options of [{}, { token: ada.token }])
      expect(await comment({ businessName: 'Bisi Bags' }, options)).toMatchObject({
        status: 400,
        json: { errors: { businessName: 'must be your own, or left out' } },
      });
  });

  it('under a name asks for a new token where the old one has run out', async () => {
    const eve = await market.register('Eve Fabrics');
    market.clock.time += 11 * 60_000;
    const answer = await comment({ businessName: 'Eve Fabrics' }, { token: eve.token });
    expect(answer).toMatchObject({ status: 403, json: { code: 'token_expired' } });
    expect((await comment({}, { token: eve.token })).status).toBe(201);
  });

  it('under a name is not counted until it comes with a token that holds', async () => {
    const bola = await market.register('Bola Fabrics');
    market.clock.time += 11 * 60_000;
    const [from, key] = ['198.51.100.7', aKey()];
    const signed = (token: string) =>
      comment({ businessName: 'Bola Fabrics' }, { from, key, token });
    expect(await signed(bola.token)).toMatchObject({ json: { code: 'token_expired' } });
    const { json } = await market.call('GET', '/v1/refresh-token', { cookie: bola.cookie });
    expect((await signed(json.accessToken)).status).toBe(201);
  });

  it('comes once in half a minute from one address', async () => {
    const from = '198.51.100.1';
    expect((await comment({}, { from })).status).toBe(201);
    const second = await comment({}, { from });
    expect(second.status).toBe(429);
    expect(Number(second.headers.get('Retry-After'))).toBe(30);
    market.clock.time += 30_000;
    expect((await comment({}, { from })).status).toBe(201);
  });

  it('that is repeated is posted once and not counted', async () => {
    const options = { from: '198.51.100.2', key: aKey() };
    const [first, again] = [await comment({}, options), await comment({}, options)];
    expect(again).toMatchObject({ status: 201, json: first.json });
  });

  it('says something and has one star', async () => {
    expect((await comment({ comment_text: '  ' })).json.errors).toEqual({
      comment_text: 'Please enter your comment',
    });
    expect((await comment({ ratingData: { ...ratingData, bar1: 1 } })).status).toBe(400);
  });
});

describe('a message to the support', () => {
  const send = (body: object, key = aKey()) =>
    market.call('POST', '/v1/email/sendEmail', { body, key });
  const letter = {
    name: 'Ada Obi',
    email: 'ada@example.com',
    subject: 'VERFICATION ERROR',
    message: 'I paid and nothing happened.',
  };

  it('is taken in sealed', async () => {
    const answer = await send(letter);
    expect(answer).toMatchObject({
      status: 200,
      json: { success: true, message: 'Email sent successfully' },
    });
    expect(answer.headers.get('Oja-Position')).not.toBeNull();
    let log = '';
    for await (const event of market.deps.eventStore.readAll({ after: null }))
      if (event.type === 'ContactMessageReceived') log += JSON.stringify(event);
    expect(log).toContain('"subject":"contact:');
    for (const text of Object.values(letter)) expect(log).not.toContain(text);
  });

  it('asks for what is missing', async () => {
    const { status, json } = await send({ name: 'Ada Obi', subject: ' ' });
    expect(status).toBe(400);
    expect(json).toMatchObject({
      success: false,
      missingFields: ['email', 'subject', 'message'],
      message: 'email is required; subject is required; message is required',
    });
  });

  it('says that an address is none', async () => {
    const { status, json } = await send({ ...letter, email: 'ada at example' });
    expect(status).toBe(400);
    expect(json).toMatchObject({ success: false, emailError: 'Invalid email format' });
  });

  it('is not counted while something is missing in it, or its address is none', async () => {
    const headers = { 'X-Forwarded-For': '198.51.100.60' };
    const sendFrom = (body: object) =>
      market.call('POST', '/v1/email/sendEmail', { body, key: aKey(), headers });
    for (const wrong of [
      { ...letter, message: '' },
      { ...letter, email: 'ada at example' },
    ])
      for (let i = 0; i < 6; i += 1) expect((await sendFrom(wrong)).status).toBe(400);
    const statuses = [];
    for (let i = 0; i < 11; i += 1) statuses.push((await sendFrom(letter)).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
  });
});

it.each([
  [
    'review',
    (text: string, key: string) => comment({ comment_text: text }, { key }),
    ({ comment_id }: { comment_id?: string }) => comment_id,
  ],
  [
    'message to the support',
    (text: string, key: string) =>
      market.call('POST', '/v1/email/sendEmail', {
        key,
        body: { name: 'Ada', email: 'ada@example.com', subject: 'A bag', message: text },
      }),
    ({ message }: { message?: string }) => message,
  ],
])('the key of a %s is not taken for another text, however long after', async (_, send, told) => {
  const key = aKey();
  const first = await send('Where is it?', key);
  market.clock.time += 25 * 3_600_000;
  const other = await send('It is here.', key);
  expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
  const again = await send('Where is it?', key);
  expect([again.status, told(again.json)]).toEqual([first.status, told(first.json)]);
});
