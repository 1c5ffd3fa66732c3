import { resetPassword } from '@oja/command-service';
import { DAY_MS } from '@oja/domain/rules';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loggingIn } from './support/logging-in.js';
import { aKey, type Market, openMarket, person, type Seller } from './support/market.js';

let market: Market;
beforeAll(async () => {
  market = await openMarket();
});
afterAll(() => market.close());

const { login, choose, refresh, asSeller } = loggingIn(() => market);

describe('a password', () => {
  const change = (
    seller: Seller,
    old_password: string,
    new_password: string,
    token = seller.token,
  ) => market.call('PUT', '/v1/user/password', { token, body: { old_password, new_password } });

  it('is stored as a slow hash of its own salt, and nothing else of it', async () => {
    const stores = [await market.register('Slow Store'), await market.register('Slow Store Too')];
    const { state } = market.deps;
    const stored = [];
    for (const { id } of stores)
      stored.push((await state.get('password', id, market.clock.now()))?.value);
    for (const value of stored) {
      expect(JSON.stringify(value)).toMatch(/"\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect(JSON.stringify(value)).not.toContain('password of');
    }
    expect(stored[0]).not.toEqual(stored[1]);
  });

  it('that is common, or one’s own name, is refused at sign-up', async () => {
    const body = { ...person, businessName: 'Plantain Palace' };
    for (const password of [
      'password1',
      '12345678',
      'Plantain-Palace',
      'palace2026',
      'Ada Obi 99',
    ]) {
      const { status, json } = await market.call('POST', '/v1/register', {
        body: { ...body, password },
      });
      expect([status, Object.keys(json.errors ?? {})]).toEqual([400, ['password']]);
    }
    const password = 'ripe ones are sweeter';
    expect(
      (await market.call('POST', '/v1/register', { body: { ...body, password } })).status,
    ).toBe(201);
  });

  it('is changed by who knows the old one, which ends all other sessions and keeps this one', async () => {
    const remi = await market.register('Remi Ribbons');
    const elsewhere = await login(remi);
    expect(await change(remi, 'not my password', 'another of mine')).toMatchObject({
      status: 400,
      json: { errors: { old_password: 'is not your password' } },
    });
    expect((await change(remi, remi.password, 'iloveyou')).json.errors).toHaveProperty(
      'new_password',
    );
    expect((await asSeller(elsewhere.json.accessToken, remi.id)).status).toBe(200);
    expect(await change(remi, remi.password, 'another of mine')).toMatchObject({ status: 200 });
    expect((await asSeller(elsewhere.json.accessToken, remi.id)).status).toBe(401);
    expect((await refresh(elsewhere.cookie ?? '')).status).toBe(401);
    expect((await asSeller(remi.token, remi.id)).status).toBe(200);
    expect((await refresh(remi.cookie)).status).toBe(200);
    expect((await login(remi)).status).toBe(401);
    expect((await login({ ...remi, password: 'another of mine' })).status).toBe(200);
  });

  describe('that is changed while somebody else is using the old one', () => {
    /** Answers `call`, whose password is judged right just before its owner changes it. */
    async function duringChange<T>(owner: Seller, call: () => Promise<T>): Promise<T> {
      const { passwords } = market.deps;
      const { matches } = passwords;
      const judged = vi.spyOn(passwords, 'matches').mockImplementationOnce(async (...asked) => {
        const isRight = await matches(...asked);
        expect(await change(owner, owner.password, 'another of mine')).toMatchObject({
          status: 200,
        });
        return isRight;
      });
      const answer = await call();
      judged.mockRestore();
      return answer;
    }
    const isOwners = async (seller: Seller) =>
      (await login({ ...seller, password: 'another of mine' })).status === 200;

    it('signs nobody in with the old one', async () => {
      const wale = await market.register('Wale Wallets');
      const late = await duringChange(wale, () => login(wale));
      expect(late).toMatchObject({ status: 401, cookie: null });
      expect(await isOwners(wale)).toBe(true);
    });

    it('is not replaced at the login', async () => {
      const yemi = await market.register('Yemi Yards');
      const late = await duringChange(yemi, () => choose(yemi, yemi.password, 'what a thief has'));
      expect(late).toMatchObject({ status: 409, cookie: null });
      expect(await isOwners(yemi)).toBe(true);
    });

    it('is not replaced by another change', async () => {
      const zara = await market.register('Zara Zips');
      const thief = await login(zara);
      const late = await duringChange(zara, () =>
        change(zara, zara.password, 'what a thief has', thief.json.accessToken),
      );
      expect(late).toMatchObject({ status: 409, json: { code: 'changed_meanwhile' } });
      expect(await isOwners(zara)).toBe(true);
    });

    it('lets no repeated sign-up in', async () => {
      const businessName = 'Xena Xylophones';
      const password = `password of ${businessName}`;
      const sent = { body: { ...person, businessName, password }, key: aKey() };
      const { json } = await market.call('POST', '/v1/register', sent);
      const { user_id: id } = json.data.data;
      const xena = { id, businessName, password, token: json.accessToken, cookie: '' };
      const late = await duringChange(xena, () => market.call('POST', '/v1/register', sent));
      expect(late).toMatchObject({ status: 409, cookie: null });
      expect(await isOwners(xena)).toBe(true);
    });
  });

  it('is not guessed at by who found a browser signed in', async () => {
    const sola = await market.register('Sola Sandals');
    const guesses = [];
    for (let i = 0; i < 8; i += 1)
      guesses.push((await change(sola, `guess ${i} of many`, 'mine from now on')).status);
    expect(guesses).toContain(429);
    expect((await login(sola)).status).toBe(200);
  });
});
describe('push messages', () => {
  const endpoint = 'https://fcm.googleapis.com/fcm/send/x';
  const subscribe = (seller: Seller, token = seller.token) =>
    market.call('POST', '/subscription', {
      token,
      key: aKey(),
      body: {
        sellerId: seller.id,
        newSubscription: { endpoint, expirationTime: null, keys: { p256dh: 'a', auth: 'b' } },
      },
    });
  const isOn = async (seller: Seller, token: string) =>
    (await asSeller(token, seller.id)).json.exists;

  it('come to no device that is logged out by a change of the password', async () => {
    const ronke = await market.register('Ronke Rings');
    const elsewhere = await login(ronke);
    await subscribe(ronke, elsewhere.json.accessToken);
    expect(await isOn(ronke, ronke.token)).toBe(true);
    const body = { old_password: ronke.password, new_password: 'one that she chose' };
    const changed = await market.call('PUT', '/v1/user/password', { token: ronke.token, body });
    expect(changed.status).toBe(200);
    expect(await isOn(ronke, ronke.token)).toBe(false);
    // The browser that stays signed in may ask for them again.
    expect((await subscribe(ronke)).status).toBe(201);
    expect(await isOn(ronke, ronke.token)).toBe(true);
  });

  it('end with a reset, and with a password that is chosen at the login', async () => {
    const seun = await market.register('Seun Sofas');
    await subscribe(seun);
    const reset = await resetPassword(market.deps, seun.id);
    if (!reset.ok) throw new Error(reset.message);
    const first = await choose(seun, reset.password, 'one that he chose');
    expect(await isOn(seun, first.json.accessToken)).toBe(false);
    await subscribe(seun, first.json.accessToken);
    const second = await choose(seun, 'one that he chose', 'one that he chose later');
    expect(await isOn(seun, second.json.accessToken)).toBe(false);
  });
});

describe('a new password whose answer was lost', () => {
  it('of a signed-in seller is answered again, and no other session goes on', async () => {
    const tunde = await market.register('Tunde Tiles');
    const elsewhere = await login(tunde);
    const key = aKey();
    const change = (new_password = 'one that he chose') =>
      market.call('PUT', '/v1/user/password', {
        token: tunde.token,
        key,
        body: { old_password: tunde.password, new_password },
      });
    const { sessions } = market.deps;
    const endAll = sessions.endAll;
    // State fails when the password has been replaced.
    const failing = vi
      .spyOn(sessions, 'endAll')
      .mockImplementationOnce(endAll)
      .mockRejectedValueOnce(new Error('State is away'));
    expect((await change()).status).toBe(500);
    failing.mockRestore();
    expect((await asSeller(elsewhere.json.accessToken, tunde.id)).status).toBe(401);
    expect((await change('one that he did not choose')).status).toBe(400);
    expect((await change()).status).toBe(200);
    expect((await asSeller(tunde.token, tunde.id)).status).toBe(200);
    expect((await login({ ...tunde, password: 'one that he chose' })).status).toBe(200);
  });

  it('leaves no other session open, whatever fails when it is stored', async () => {
    const sade = await market.register('Sade Silks');
    const elsewhere = await login(sade);
    const failing = vi
      .spyOn(market.deps.passwords, 'keep')
      .mockRejectedValueOnce(new Error('killed'));
    const body = { old_password: sade.password, new_password: 'one that she chose' };
    const change = () => market.call('PUT', '/v1/user/password', { token: sade.token, body });
    expect((await change()).status).toBe(500);
    failing.mockRestore();
    expect((await asSeller(elsewhere.json.accessToken, sade.id)).status).toBe(401);
    expect((await change()).status).toBe(200);
  });

  /** The process dies once it has stored a new password, before it has recorded that. */
  function dieOnceStored() {
    const { passwords } = market.deps;
    const keep = passwords.keep.bind(passwords);
    return vi.spyOn(passwords, 'keep').mockImplementationOnce(async (...given) => {
      await keep(...given);
      throw new Error('killed');
    });
  }
  const changesOf = async ({ id }: Seller) =>
    (await market.typesOf(`seller-${id}`)).filter((type) => type === 'SellerPasswordChanged');

  it('because the process died once it was stored is answered, and its owner is warned', async () => {
    const bola = await market.register('Bola Beads');
    const key = aKey();
    const body = { old_password: bola.password, new_password: 'one that she chose' };
    const change = () => market.call('PUT', '/v1/user/password', { token: bola.token, key, body });
    dieOnceStored();
    expect((await change()).status).toBe(500);
    expect((await change()).status).toBe(200);
    expect((await login({ ...bola, password: 'one that she chose' })).status).toBe(200);
    expect(await changesOf(bola)).toHaveLength(1);
    expect((await change()).status).toBe(200);
    expect(await changesOf(bola)).toHaveLength(1);
  });

  it('because the process died once it was stored is answered at the login, too', async () => {
    const femi = await market.register('Femi Fans');
    const send = (key: string, new_password = 'one that he chose') =>
      market.call('POST', '/v1/login/new-password', {
        key,
        body: { businessName: femi.businessName, password: femi.password, new_password },
      });
    const key = aKey();
    dieOnceStored();
    expect((await send(key)).status).toBe(500);
    expect((await send(aKey())).status).toBe(401);
    expect(await send(key)).toMatchObject({
      status: 200,
      json: { userDetails: { user_id: femi.id } },
    });
    expect(await changesOf(femi)).toHaveLength(1);
  });

  it('in place of a one-time password is answered again', async () => {
    const kemi = await market.register('Kemi Kitchens');
    const reset = await resetPassword(market.deps, kemi.id);
    if (!reset.ok) throw new Error(reset.message);
    const key = aKey();
    const send = (new_password: string, own = key) =>
      market.call('POST', '/v1/login/new-password', {
        key: own,
        body: { businessName: kemi.businessName, password: reset.password, new_password },
      });
    expect((await send('one that she chose')).status).toBe(200);
    const again = await send('one that she chose');
    expect(again).toMatchObject({ status: 200, json: { userDetails: { user_id: kemi.id } } });
    expect((await asSeller(again.json.accessToken, kemi.id)).status).toBe(200);
    expect((await send('one that she chose', aKey())).status).toBe(401);
    expect((await send('one that she did not choose')).status).not.toBe(200);
  });
});

describe('a request that has set a password once, sent again a day later', () => {
  const owners = 'one that only she knows';
  /** Guesses at the owner's password as fast as one can, the right one last; the statuses of the answers. */
  async function guess(send: (password: string) => Promise<{ readonly status: number }>) {
    market.clock.time += DAY_MS + 1;
    const statuses = [];
    for (let i = 0; i < 12; i += 1) statuses.push((await send(`guess ${i} of many`)).status);
    return [...statuses, (await send(owners)).status];
  }
  /** The owner chooses another password than the one that somebody else has set. */
  async function handOver(seller: Pick<Seller, 'id' | 'businessName'>) {
    const reset = await resetPassword(market.deps, seller.id);
    if (!reset.ok) throw new Error(reset.message);
    expect((await choose(seller, reset.password, owners)).status).toBe(200);
  }

  it('is slowed down as any guesser at the login is', async () => {
    const dapo = await market.register('Dapo Drums');
    const key = aKey();
    const send = (new_password: string) =>
      market.call('POST', '/v1/login/new-password', {
        key,
        body: { businessName: dapo.businessName, password: dapo.password, new_password },
      });
    expect((await send('one that her clerk knows')).status).toBe(200);
    await handOver(dapo);
    const statuses = await guess(send);
    expect(statuses).toContain(429);
    expect(statuses.at(-1)).toBe(429);
  });

  it('is slowed down at the sign-up, too', async () => {
    const businessName = 'Zainab Zips';
    const key = aKey();
    const send = (password: string) =>
      market.call('POST', '/v1/register', { key, body: { ...person, businessName, password } });
    const { json } = await send('one that her clerk knows');
    await handOver({ id: json.data.data.user_id, businessName });
    const statuses = await guess(send);
    expect(statuses).toContain(429);
    expect(statuses.at(-1)).toBe(429);
    // The owner, meanwhile, is slowed down nowhere.
    const { accessToken: token } = (await login({ businessName, password: owners })).json;
    const body = { old_password: owners, new_password: 'another of hers alone' };
    expect((await market.call('PUT', '/v1/user/password', { token, body })).status).toBe(200);
  });
});

describe('a password that an operator resets', () => {
  it('works, the old one does not, and all sessions are over', async () => {
    const musa = await market.register('Musa Decoders');
    const reset = await resetPassword(market.deps, musa.id);
    if (!reset.ok) throw new Error(reset.message);
    expect(reset.sessionsEnded).toBe(1);
    expect((await asSeller(musa.token, musa.id)).status).toBe(401);
    expect((await login(musa)).status).toBe(401);
    const chosen = await choose(musa, reset.password, 'chosen by Musa himself');
    expect(chosen).toMatchObject({ status: 200, json: { userDetails: { user_id: musa.id } } });
    expect((await asSeller(chosen.json.accessToken, musa.id)).status).toBe(200);
    expect((await login({ ...musa, password: reset.password })).status).toBe(401);
    expect((await login({ ...musa, password: 'chosen by Musa himself' })).status).toBe(200);
  });

  it('opens nothing but the choice of another', async () => {
    const nneka = await market.register('Nneka Necklaces');
    const reset = await resetPassword(market.deps, nneka.id);
    if (!reset.ok) throw new Error(reset.message);
    const tried = await login({ ...nneka, password: reset.password });
    expect(tried).toMatchObject({ status: 403, cookie: null, json: { code: 'choose_password' } });
    expect(tried.json.accessToken).toBeUndefined();
    for (const poor of ['short', reset.password, 'password123', 'nneka-necklaces', 'Nneka 1999'])
      expect((await choose(nneka, reset.password, poor)).json.errors).toHaveProperty(
        'new_password',
      );
    expect((await choose(nneka, 'not the password', 'a good one of hers')).status).toBe(401);
    expect((await choose(nneka, reset.password, 'a good one of hers')).status).toBe(200);
  });

  it('is recorded, and so is the one that is chosen then', async () => {
    const ngozi = await market.register('Ngozi Nails');
    const reset = await resetPassword(market.deps, ngozi.id);
    if (!reset.ok) throw new Error(reset.message);
    expect((await choose(ngozi, reset.password, 'chosen by Ngozi')).status).toBe(200);
    const { json } = await login({ ...ngozi, password: 'chosen by Ngozi' });
    const body = { old_password: 'chosen by Ngozi', new_password: 'and another one' };
    const changed = await market.call('PUT', '/v1/user/password', {
      token: json.accessToken,
      body,
    });
    expect(changed.status).toBe(200);
    const told = [];
    const stream = `seller-${ngozi.id}`;
    for await (const { type, data } of market.deps.eventStore.readStream(stream))
      if (type.startsWith('SellerPassword')) told.push([type, data]);
    expect(told).toEqual([
      ['SellerPasswordReset', { sellerId: ngozi.id, by: 'operator' }],
      ['SellerPasswordChanged', { sellerId: ngozi.id }],
      ['SellerPasswordChanged', { sellerId: ngozi.id }],
    ]);
  });

  it('is told to the operator although it cannot be recorded, which is logged', async () => {
    const uche = await market.register('Uche Unrecorded');
    const refusing = async () => ({ ok: false, conflict: true }) as const;
    const failing = () => Promise.reject(new Error('the log does not answer'));
    for (const handle of [refusing, failing]) {
      const error = vi.fn();
      const logger = { ...market.deps.logger, error } as unknown as typeof market.deps.logger;
      const deps = { ...market.deps, logger, handle: handle as typeof market.deps.handle };
      const reset = await resetPassword(deps, uche.id);
      if (!reset.ok) throw new Error(reset.message);
      expect(error).toHaveBeenCalledWith(
        expect.objectContaining({ sellerId: uche.id }),
        'a new password could not be recorded',
      );
      expect((await login({ ...uche, password: reset.password })).status).toBe(403);
    }
  });

  it('of nobody says so', async () => {
    expect(await resetPassword(market.deps, 'nobody')).toMatchObject({ ok: false });
  });
});
