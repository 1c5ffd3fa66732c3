import { Overloaded } from '@oja/http';
import { StoreUnavailable } from '@oja/platform';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loggingIn } from './support/logging-in.js';
import { aKey, type Market, openMarket, person, type Seller } from './support/market.js';

let market: Market;
let ada: Seller;
beforeAll(async () => {
  market = await openMarket();
  ada = await market.register('Ada Bags');
});
afterAll(() => market.close());

const { login, refresh, asSeller } = loggingIn(() => market);

const MINUTES_11 = 11 * 60_000;

describe('one password tried on many names from one address', () => {
  const address = '203.0.113.77';
  const tried = (i: number) =>
    login({ businessName: `Somebody ${i}`, password: 'market-day' }, address);

  it('is stopped, and keeps neither out who is known there nor who comes from elsewhere', async () => {
    expect((await login(ada, address)).status).toBe(200);
    const statuses = [];
    for (let i = 0; i < 120; i += 1) statuses.push((await tried(i)).status);
    expect(statuses.filter((status) => status !== 429).length).toBeLessThanOrEqual(30);
    expect((await login(ada, address)).status).toBe(200);
    expect((await login(ada, '198.51.100.7')).status).toBe(200);
    const bisi = await market.register('Bisi Kept Out');
    const refused = await login(bisi, address);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(600);
    market.clock.time += 600_000;
    expect((await login(bisi, address)).status).toBe(200);
  });

  it('is stopped when all of it is sent at once', async () => {
    const answers = await Promise.all(Array.from({ length: 400 }, (_, i) => tried(1_000 + i)));
    expect(answers.filter(({ status }) => status !== 429).length).toBeLessThanOrEqual(30);
  });

  it('does not count those who sign in', async () => {
    const elsewhere = '203.0.113.78';
    for (let i = 0; i < 35; i += 1) expect((await login(ada, elsewhere)).status).toBe(200);
    expect((await login({ ...ada, password: 'a wrong one' }, elsewhere)).status).toBe(401);
  });
});

describe('sign-up', () => {
  it('signs in, and answers who one is', async () => {
    const body = { ...person, businessName: 'Bisi Shoes', password: 'long enough' };
    const { status, json, headers, cookie } = await market.call('POST', '/v1/register', { body });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      success: true,
      data: {
        name: 'Ada Obi',
        data: { businessName: 'Bisi Shoes', is_admin: 0, is_subAdmin: 0, is_suspended: 0 },
      },
    });
    expect(headers.get('Oja-Position')).toMatch(/\.\d{20}$/);
    expect(headers.getSetCookie()[0]).toMatch(/HttpOnly; SameSite=Strict/);
    expect((await asSeller(json.accessToken, json.data.data.user_id)).status).toBe(200);
    expect(await refresh(cookie ?? '')).toMatchObject({ status: 200 });
  });

  it('repeated with its key makes one seller and answers again', async () => {
    const options = {
      body: { ...person, businessName: 'Chidi Phones', password: 'long enough' },
      key: aKey(),
    };
    const first = await market.call('POST', '/v1/register', options);
    const again = await market.call('POST', '/v1/register', options);
    expect([first.status, again.status]).toEqual([201, 201]);
    const id = first.json.data.data.user_id;
    expect(again.json.data.data.user_id).toBe(id);
    expect(again.json.accessToken).not.toBe(first.json.accessToken);
    expect(await market.typesOf(`seller-${id}`)).toEqual(['SellerRegistered']);
    const other = { ...options, body: { ...options.body, password: 'another one' } };
    expect((await market.call('POST', '/v1/register', other)).status).toBe(422);
  });

  it('names every field that is wrong', async () => {
    const body = { name: 'Ada', businessName: 'Abc', phone_1: '0803', password: 'short' };
    const { status, json } = await market.call('POST', '/v1/register', { body });
    expect(status).toBe(400);
    expect(json.errors).toEqual({
      name: 'minimum of 6 characters',
      businessName: 'minimum of 4 characters',
      phone_1: 'must be 11 numbers',
      password: 'minimum of 8 characters',
    });
  });

  it('keeps name, phone and password out of the log', async () => {
    const eve = await market.register('Eve Fabrics');
    let log = '';
    for await (const event of market.deps.eventStore.readAll({ after: null }))
      log += JSON.stringify(event);
    for (const secret of [person.name, person.phone_1, eve.password])
      expect(log).not.toContain(secret);
  });
});

describe('login', () => {
  it('answers who one is, under any spelling of the name', async () => {
    const { status, json, cookie } = await login({ ...ada, businessName: ' ada-BAGS ' });
    expect(status).toBe(200);
    expect(json.userDetails).toMatchObject({ user_id: ada.id, businessName: 'Ada Bags' });
    expect(cookie).not.toBeNull();
  });

  it('answers a wrong password and an unknown name alike', async () => {
    const wrong = await login({ ...ada, password: 'not the password' });
    const unknown = await login({ businessName: 'Nobody Here', password: 'not the password' });
    expect(wrong.status).toBe(401);
    expect({ status: unknown.status, json: unknown.json }).toEqual({
      status: wrong.status,
      json: wrong.json,
    });
  });

  it('lets a suspended seller in', async () => {
    const boss = await market.headAdmin('Boss Market');
    const femi = await market.register('Femi Watches');
    await market.call('PUT', `/v1/user/${femi.id}/toggle-suspended`, { token: boss.token });
    expect((await login(femi)).json.userDetails).toMatchObject({ is_suspended: 1 });
  });

  it('slows down a guesser, says for how long, and lets the owner in from elsewhere', async () => {
    const gbenga = await market.register('Gbenga Gadgets');
    const guess = () => login({ ...gbenga, password: 'a wrong guess' }, '198.51.100.7');
    const guesses = await Promise.all(Array.from({ length: 12 }, guess));
    const slowed = guesses.filter(({ status }) => status === 429);
    expect(slowed.length).toBeGreaterThanOrEqual(6);
    expect(Number(slowed[0]?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await login(gbenga, '198.51.100.8')).status).toBe(200);
  });
});

describe('a password that nobody looked at, because too many were checked at once', () => {
  /** Makes a call `times` times while the hashing queue is full. Returns the statuses that occurred. */
  async function whileFull(times: number, call: () => Promise<{ readonly status: number }>) {
    const full = vi.spyOn(market.deps.passwords, 'matches').mockRejectedValue(new Overloaded(2));
    const statuses: number[] = [];
    for (let i = 0; i < times; i += 1) statuses.push((await call()).status);
    full.mockRestore();
    return new Set(statuses);
  }

  it('does not count as a wrong one, at the login', async () => {
    const uju = await market.register('Uju Umbrellas');
    const address = '203.0.113.90';
    expect(await whileFull(40, () => login(uju, address))).toEqual(new Set([429]));
    expect((await login(uju, address)).status).toBe(200);
    expect((await login({ ...uju, businessName: 'Nobody Here' }, address)).status).toBe(401);
  });

  it('does not count as a wrong one, where a seller confirms something', async () => {
    const vera = await market.register('Vera Veils');
    const change = () =>
      market.call('PUT', '/v1/user/password', {
        token: vera.token,
        body: { old_password: vera.password, new_password: 'mine from now on' },
      });
    expect(await whileFull(12, change)).toEqual(new Set([429]));
    // Both hashes are queued for this client, and leave the bounded queue when it disconnects.
    const [matches, hash] = [
      vi.spyOn(market.deps.passwords, 'matches'),
      vi.spyOn(market.deps.passwords, 'hash'),
    ];
    expect((await change()).status).toBe(200);
    const client = { address: '127.0.0.1', disconnected: expect.any(AbortSignal) };
    expect(matches.mock.lastCall?.[3]).toEqual(client);
    expect(hash.mock.lastCall?.[1]).toEqual(client);
    matches.mockRestore();
    hash.mockRestore();
  });
});

describe('a password that nobody looked at, because an engine was away', () => {
  it('does not count as a wrong one, at the login', async () => {
    const zina = await market.register('Zina Zips');
    const address = '203.0.113.91';
    const away = vi.spyOn(market.deps.eventStore, 'readStream').mockImplementation(() => {
      throw new StoreUnavailable('EventStoreDB', 'it does not answer', false);
    });
    const statuses = new Set<number>();
    for (let i = 0; i < 40; i += 1) statuses.add((await login(zina, address)).status);
    away.mockRestore();
    expect(statuses).toEqual(new Set([503]));
    expect((await login(zina, address)).status).toBe(200);
    expect((await login({ ...zina, businessName: 'Nobody Here' }, address)).status).toBe(401);
  });
});

describe('guesses at one name from many networks', () => {
  it('slow each other down, and not the owner where they have signed in before', async () => {
    const owner = await market.register('Titi Ties');
    const home = '198.51.100.40';
    expect((await login(owner, home)).status).toBe(200);
    const guess = (network: number) =>
      login({ ...owner, password: 'a wrong guess' }, `203.0.113.${network}`);
    const statuses = [];
    for (let network = 100; network < 160; network += 1)
      statuses.push((await guess(network)).status);
    expect(statuses).toContain(429);
    expect((await login(owner, home)).status).toBe(200);
    expect((await guess(161)).status).toBe(429);
  });
});

describe('a try that is only told to wait, so that nobody looked at its password', () => {
  const wrong = (owner: Seller, address: string) =>
    login({ ...owner, password: 'a wrong guess' }, address);

  it('does not count against those who share the address', async () => {
    const address = '203.0.113.80';
    const forgetful = await market.register('Uche Umbrellas');
    const neighbour = await market.register('Bisi Bangles');
    const statuses = [];
    for (let i = 0; i < 40; i += 1) statuses.push((await wrong(forgetful, address)).status);
    expect(new Set(statuses.slice(6))).toEqual(new Set([429]));
    expect((await login(neighbour, address)).status).toBe(200);
  });

  it('counts neither against them nor against its own name, while that is guessed at elsewhere', async () => {
    const address = '203.0.113.81';
    const owner = await market.register('Wale Wallets');
    const neighbour = await market.register('Sade Sandals');
    for (let network = 1; network < 30; network += 1) {
      await wrong(owner, `198.51.100.${network}`);
      market.clock.time += 30_000;
    }
    expect((await wrong(owner, '198.51.100.30')).status).toBe(401);
    for (let second = 0; second < 30; second += 1) {
      for (const _ of ['press', 'press']) expect((await login(owner, address)).status).toBe(429);
      market.clock.time += 1_000;
    }
    expect((await login(owner, address)).status).toBe(200);
    expect((await login(neighbour, address)).status).toBe(200);
  });
});

describe('an access token', () => {
  it('is asked for (401), expires (403), is malformed (401)', async () => {
    const kemi = await market.register('Kemi Perfumes');
    const path = `/v1/notifications/read/${kemi.id}`;
    expect((await market.call('DELETE', path)).status).toBe(401);
    expect((await asSeller('nonsense', kemi.id)).status).toBe(401);
    market.clock.time += MINUTES_11;
    const expired = await asSeller(kemi.token, kemi.id);
    expect(expired).toMatchObject({ status: 403, json: { code: 'token_expired' } });
    const { json } = await refresh(kemi.cookie);
    expect((await asSeller(json.accessToken, kemi.id)).status).toBe(200);
  });

  it('says nothing of rights: they are read at each call', async () => {
    const boss = await market.headAdmin('Rights Boss');
    const lola = await market.register('Lola Laptops');
    const list = () => market.call('PUT', `/v1/products/x/toggle-status`, { token: lola.token });
    expect((await list()).status).toBe(404);
    await market.call('PUT', `/v1/user/${lola.id}/toggle-suspended`, { token: boss.token });
    expect((await list()).status).toBe(403);
    await market.call('PUT', `/v1/user/${lola.id}/toggle-suspended`, { token: boss.token });
    expect((await list()).status).toBe(404);
  });
});

describe('a refresh token', () => {
  it('is needed', async () => {
    expect((await market.call('GET', '/v1/refresh-token')).status).toBe(401);
  });

  it('is exchanged, and answers the same successor while that is unused', async () => {
    const { cookie } = await login(ada);
    const [one, two] = await Promise.all([refresh(cookie ?? ''), refresh(cookie ?? '')]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(one.cookie).toBe(two.cookie);
    expect(one.cookie).not.toBe(cookie);
  });

  it('used after its successor was used ends the whole family', async () => {
    const { cookie, json } = await login(ada);
    const second = await refresh(cookie ?? '');
    const third = await refresh(second.cookie ?? '');
    expect(third.status).toBe(200);
    const stolen = await refresh(cookie ?? '');
    expect(stolen).toMatchObject({ status: 401, cookie: null });
    expect((await refresh(third.cookie ?? '')).status).toBe(401);
    expect((await asSeller(json.accessToken, ada.id)).status).toBe(401);
  });

  it('is refused to another website', async () => {
    const { cookie } = await login(ada);
    const headers = { Origin: 'https://evil.example' };
    const answer = await market.call('GET', '/v1/refresh-token', { cookie: cookie ?? '', headers });
    expect(answer.status).toBe(403);
  });
});

describe('logout', () => {
  it('ends the family and its access tokens, and clears the cookie', async () => {
    const { cookie, json } = await login(ada);
    const out = await market.call('DELETE', '/v1/logout', { cookie: cookie ?? '' });
    expect(out.status).toBe(200);
    expect(out.headers.getSetCookie()[0]).toContain('Max-Age=0');
    expect((await refresh(cookie ?? '')).status).toBe(401);
    expect((await asSeller(json.accessToken, ada.id)).status).toBe(401);
  });

  it('is fine without a session', async () => {
    expect((await market.call('DELETE', '/v1/logout')).status).toBe(200);
  });
});
