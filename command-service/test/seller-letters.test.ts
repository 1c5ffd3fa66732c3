import { DAY_MS, EMAIL_CODE_VALID_MS, emailCodes, seller } from '@oja/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aKey, type Market, openMarket, type Seller } from './support/market.js';

const ADDRESS = '/v1/user/letters/address';

let market: Market;
let ada: Seller;
let stores = 0;
beforeAll(async () => {
  market = await openMarket();
});
beforeEach(async () => {
  stores += 1;
  ada = await market.register(`Ada Letters ${stores}`);
});
afterAll(() => market.close());

const own = () => `ada-${stores}@example.com`;
const ask = (email = own(), who = ada, key = aKey()) =>
  market.call('POST', ADDRESS, { token: who.token, key, body: { email, password: who.password } });
const type = (code: string, key = aKey()) =>
  market.call('PUT', ADDRESS, { token: ada.token, key, body: { code } });
const turn = (on: boolean) =>
  market.call('PUT', '/v1/user/letters', { token: ada.token, body: { on } });
const remove = () => market.call('DELETE', ADDRESS, { token: ada.token });

async function letters({ id } = ada) {
  const { state } = await market.deps.load(seller, id);
  if (state.status === 'none') throw new Error('nobody is registered');
  return state.letters;
}
/** The code that the seller's letter contains. */
async function code(who = ada): Promise<string> {
  const { asked } = await letters(who);
  const opened = asked && (await market.deps.sealer.open(`seller-${who.id}`, 'code', asked.code));
  if (opened === null) throw new Error('no code is under way');
  return opened;
}
const another = (right: string) => (right === '000000' ? '111111' : '000000');

describe('an address for letters', () => {
  it('is sealed, and confirmed by the code that went there', async () => {
    const asked = await ask();
    expect(asked).toMatchObject({ status: 200, json: { success: true } });
    expect(Date.parse(asked.json.ends_at) - market.clock.time).toBe(EMAIL_CODE_VALID_MS);
    expect(await code()).toMatch(/^\d{6}$/);
    expect((await letters()).email).toBeNull();
    expect((await type(await code())).status).toBe(200);
    const { email, on } = await letters();
    expect(on).toBe(true);
    expect(email && (await market.deps.sealer.open(`seller-${ada.id}`, 'email', email))).toBe(
      own(),
    );
    for await (const { data } of market.deps.eventStore.readStream(`seller-${ada.id}`))
      expect(JSON.stringify(data)).not.toContain(own());
  });

  it('is asked for with the password alone', async () => {
    const body = { email: own(), password: 'somebody else’s' };
    expect(await market.call('POST', ADDRESS, { token: ada.token, body })).toMatchObject({
      status: 400,
      json: { code: 'wrong_password', errors: { password: 'is not your password' } },
    });
    expect(await letters()).toMatchObject({ asks: 0, asked: null });
  });

  it('is asked for once by a request that comes twice', async () => {
    const key = aKey();
    const [one, two] = [await ask(own(), ada, key), await ask(own(), ada, key)];
    expect(two.json).toEqual(one.json);
    expect((await letters()).asks).toBe(1);
  });

  it('must be one', async () => {
    expect(await ask('no address')).toMatchObject({
      status: 400,
      json: { errors: { email: 'must be an e-mail address' } },
    });
  });

  it('is switched and removed', async () => {
    expect(await turn(true)).toMatchObject({ status: 409, json: { code: 'no_email' } });
    await ask();
    await type(await code());
    expect((await turn(false)).status).toBe(200);
    expect((await turn(false)).status).toBe(200);
    expect(await letters()).toMatchObject({ on: false });
    expect((await remove()).status).toBe(200);
    expect((await remove()).status).toBe(200);
    expect(await letters()).toMatchObject({ email: null, asked: null, on: false });
    expect(await market.typesOf(`seller-${ada.id}`)).toEqual([
      'SellerRegistered',
      'SellerEmailAsked',
      'SellerEmailConfirmed',
      'SellerLettersSwitched',
      'SellerEmailRemoved',
    ]);
  });

  it('may be switched off and removed by a suspended seller, who is given no other', async () => {
    const admin = await market.headAdmin(`Head of ${stores}`);
    await ask();
    await type(await code());
    await market.call('PUT', `/v1/user/${ada.id}/toggle-suspended`, { token: admin.token });
    expect((await turn(false)).status).toBe(200);
    expect((await ask()).status).toBe(403);
    expect((await remove()).status).toBe(200);
  });
});

describe('a code', () => {
  it('is typed wrong five times at most, and a right one after that helps nobody', async () => {
    await ask();
    const right = await code();
    const problems: string[] = [];
    for (let tries = 0; tries < emailCodes.tries; tries += 1) {
      const { status, json } = await type(another(right));
      expect(status).toBe(400);
      problems.push(json.errors.code);
    }
    expect(problems[0]).toBe('This is not the code of the letter. 4 tries left.');
    expect(problems.at(-2)).toBe('This is not the code of the letter. 1 try left.');
    expect(problems.at(-1)).toBe('This is not the code of the letter. Send a new one.');
    expect(await type(right)).toMatchObject({ status: 409, json: { code: 'email_code_used_up' } });
    expect((await letters()).email).toBeNull();
  });

  it('is tried five times and no more by guesses that come at once', async () => {
    await ask();
    const right = await code();
    const answers = await Promise.all(Array.from({ length: 30 }, () => type(another(right))));
    for (const { status } of answers) expect([400, 409]).toContain(status);
    const typed = (await market.typesOf(`seller-${ada.id}`)).filter(
      (one) => one === 'SellerEmailMistyped',
    );
    expect(typed.length).toBeLessThanOrEqual(emailCodes.tries);
  });

  it('is guessed no faster by one key for many guesses', async () => {
    await ask();
    const right = await code();
    const key = aKey();
    expect((await type(another(right), key)).status).toBe(400);
    expect((await type(right, key)).status).toBe(400);
    expect((await letters()).email).toBeNull();
  });

  it('is good for half an hour', async () => {
    await ask();
    const right = await code();
    market.clock.time += EMAIL_CODE_VALID_MS;
    // The access token has expired by now, too.
    const body = { businessName: ada.businessName, password: ada.password };
    const { json } = await market.call('POST', '/v1/login', { body });
    ada = { ...ada, token: json.accessToken };
    expect(await type(right)).toMatchObject({ status: 409, json: { code: 'email_code_expired' } });
  });

  it('must have six digits', async () => {
    await ask();
    expect(await type('12345')).toMatchObject({
      status: 400,
      json: { errors: { code: 'must be the 6 digits of the letter' } },
    });
    expect((await letters()).asked?.mistyped).toBe(0);
  });
});

describe('nobody’s mailbox is filled', () => {
  it('by one seller', async () => {
    for (let n = 0; n < emailCodes.aDay; n += 1)
      expect((await ask(`${n}-${own()}`)).status).toBe(200);
    expect(await ask(`more-${own()}`)).toMatchObject({
      status: 409,
      json: { code: 'email_codes_a_day' },
    });
  });

  it('by several sellers, however they write the address', async () => {
    const victim = `Victim-${stores}@example.com`;
    const bisi = await market.register(`Bisi Letters ${stores}`);
    for (let n = 0; n < emailCodes.aDay - 1; n += 1) expect((await ask(victim)).status).toBe(200);
    expect((await ask(victim.toUpperCase(), bisi)).status).toBe(200);
    const refused = await ask(victim.toLowerCase(), bisi);
    expect(refused).toMatchObject({ status: 429, json: { code: 'email_codes_a_day' } });
    expect(Number(refused.headers.get('Retry-After')) * 1000).toBeLessThanOrEqual(DAY_MS);
  });

  it.each([
    (n: number) => `vic.tim${stores}+${n}@example.com`,
    (n: number) => `${'victim'.slice(0, n + 1)}.${'victim'.slice(n + 1)}${stores}@gmail.com`,
  ])(
    'by several sellers, who write its name in other ways that its host accepts',
    async (named) => {
      const bisi = await market.register(`Bisi Letters ${stores}`);
      for (let n = 0; n < emailCodes.aDay; n += 1) expect((await ask(named(n))).status).toBe(200);
      expect(await ask(named(0), bisi)).toMatchObject({ status: 429 });
      expect((await ask(`another${stores}@gmail.com`, bisi)).status).toBe(200);
    },
  );

  it('and what could not be written is not counted', async () => {
    for (let n = 0; n < emailCodes.aDay; n += 1) {
      market.faults.next = { type: 'SellerEmailAsked', when: 'before' };
      expect((await ask()).status).toBe(500);
    }
    expect((await ask()).status).toBe(200);
  });

  it('and what was refused is not counted', async () => {
    const mailbox = `shared-${stores}@example.com`;
    for (let n = 0; n < emailCodes.aDay; n += 1) await ask(`${n}-${own()}`);
    for (let n = 0; n < emailCodes.aDay; n += 1) expect((await ask(mailbox)).status).toBe(409);
    const bisi = await market.register(`Bisi Letters ${stores}`);
    expect((await ask(mailbox, bisi)).status).toBe(200);
  });
});
