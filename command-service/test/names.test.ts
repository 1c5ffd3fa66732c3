import { type Deps, nameId, releaseExpiredClaim } from '@oja/command-service';
import { businessName, businessNameKey, UNUSED_CLAIM_MS } from '@oja/domain';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { aKey, type Market, openMarket, person, type Seller } from './support/market.js';

let market: Market;
beforeAll(async () => {
  market = await openMarket();
});
beforeEach(() => {
  market.faults.next = null;
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => market.close());

const signUp = (name: string, key = aKey()) =>
  market.call('POST', '/v1/register', {
    key,
    body: { ...person, businessName: name, password: 'long enough' },
  });
const rename = (seller: Seller, name: string, key = aKey()) =>
  market.call('PUT', `/v1/user/update/${seller.id}`, {
    key,
    token: seller.token,
    body: { ...person, businessName: name },
  });
const exists = async (name: string): Promise<boolean> =>
  (await market.call('GET', `/v1/businessName-checker/${encodeURIComponent(name)}`)).json.exists;
const loginAs = async (name: string, password: string) =>
  (await market.call('POST', '/v1/login', { body: { businessName: name, password } })).status;
async function holderOf(name: string): Promise<string | null> {
  const { state } = await market.deps.load(businessName, nameId(businessNameKey(name)));
  return state.status === 'held' ? state.sellerId : null;
}
const keptOf = (sellerId: string) => market.deps.passwords.versionOf(sellerId, market.clock.time);
/** Runs what the sweep does for a claim on a name that was never used. */
const sweep = (name: string, sellerId: string) =>
  releaseExpiredClaim(market.deps, { nameKey: businessNameKey(name), sellerId });

describe('a business name', () => {
  it('is had by one of a hundred who want it at once', async () => {
    // Hashing is stubbed: another test covers how many passwords are hashed at once.
    const hashed = await market.deps.passwords.hash('long enough');
    vi.spyOn(market.deps.passwords, 'hash').mockResolvedValue(hashed);
    const answers = await Promise.all(Array.from({ length: 100 }, () => signUp('Hundred Bags')));
    const lucky = answers.filter(({ status }) => status === 201);
    expect(lucky).toHaveLength(1);
    for (const { status, json } of answers.filter((answer) => answer.status !== 201)) {
      expect(status).toBe(409);
      expect(json.message).toBe('Business name is already taken!');
      expect(json.errors).toEqual({ businessName: 'Business name is already taken!' });
    }
    expect(await holderOf('Hundred Bags')).toBe(lucky[0]?.json.data.data.user_id);
  });

  it('is one however it is written', async () => {
    await market.register('Ngozi & Sons');
    expect((await signUp('NGOZI-&-sons')).status).toBe(409);
    expect(await exists('ngozi  & SONS')).toBe(true);
    expect(await exists('Ngozi and Sons')).toBe(false);
  });

  it('that is reserved is nobody’s', async () => {
    expect(await exists('Admin')).toBe(true);
    expect(await signUp('Anonymous')).toMatchObject({
      status: 400,
      json: { errors: { businessName: 'this name is reserved' } },
    });
  });
});

describe('a rename', () => {
  it('takes the new name and frees the old one', async () => {
    const seller = await market.register('Old Name One');
    const { status, json, headers } = await rename(seller, 'New Name One');
    expect(status).toBe(200);
    expect(json.userDetails).toMatchObject({
      userId: seller.id,
      businessName: 'New Name One',
      name: person.name,
      phone_1: person.phone_1,
    });
    expect(headers.get('Oja-Position')).not.toBeNull();
    expect(await holderOf('New Name One')).toBe(seller.id);
    expect(await holderOf('Old Name One')).toBeNull();
    expect(await loginAs('New Name One', seller.password)).toBe(200);
    expect(await loginAs('Old Name One', seller.password)).toBe(401);
  });

  it('to a name that is taken changes nothing', async () => {
    const seller = await market.register('Staying Here');
    await market.register('Taken Already');
    expect((await rename(seller, 'taken already')).status).toBe(409);
    expect(await holderOf('Staying Here')).toBe(seller.id);
    expect(await loginAs('Staying Here', seller.password)).toBe(200);
  });

  it('to another spelling keeps the name', async () => {
    const seller = await market.register('Spelling Bee');
    expect((await rename(seller, 'SPELLING-BEE')).status).toBe(200);
    expect(await holderOf('Spelling Bee')).toBe(seller.id);
  });

  it('there and back at once ends with the name that is used, and with no other', async () => {
    const seller = await market.register('There And Back');
    const names = ['Somewhere Else', 'There And Back', 'Third Place'];
    await Promise.all(names.map((name) => rename(seller, name)));
    const { json } = await rename(seller, 'There And Back');
    expect(json.userDetails.businessName).toBe('There And Back');
    expect(await holderOf('There And Back')).toBe(seller.id);
    expect(await holderOf('Somewhere Else')).toBeNull();
    expect(await holderOf('Third Place')).toBeNull();
  });

  it('asks for what is missing', async () => {
    const seller = await market.register('Missing Fields');
    const { status, json } = await market.call('PUT', `/v1/user/update/${seller.id}`, {
      token: seller.token,
      body: { businessName: '', name: person.name },
    });
    expect(status).toBe(400);
    expect(json).toMatchObject({ success: false, missingFields: ['businessName', 'phone_1'] });
  });

  it('holds name and phone to the rules of sign-up', async () => {
    const seller = await market.register('Rules Of Sign-up');
    const { status, json } = await market.call('PUT', `/v1/user/update/${seller.id}`, {
      token: seller.token,
      body: { businessName: 'Rules Of Sign-up', name: 'Ada', phone_1: '0803' },
    });
    expect(status).toBe(400);
    expect(json.errors).toEqual({ name: 'minimum of 6 characters', phone_1: 'must be 11 numbers' });
  });
});

describe('a crash during sign-up', () => {
  it.each(['before', 'after'] as const)(
    '%s the claim: the name can be had, by the same request or once the sweep has passed',
    async (when) => {
      const name = `Claim Crash ${when}`;
      const key = aKey();
      market.faults.next = { type: 'BusinessNameClaimed', when };
      expect((await signUp(name, key)).status).toBe(500);
      expect((await signUp(name, key)).status).toBe(201);
    },
  );

  it('between claim and registration leaves a claim that the sweep releases, not too early', async () => {
    const name = 'Left Behind';
    market.faults.next = { type: 'SellerRegistered', when: 'before' };
    expect((await signUp(name)).status).toBe(500);
    const sellerId = (await holderOf(name)) ?? '';
    expect(await loginAs(name, 'long enough')).toBe(401);
    expect(await sweep(name, sellerId)).toBe('kept');
    expect((await signUp(name)).status).toBe(409);
    market.clock.time += UNUSED_CLAIM_MS;
    expect(await keptOf(sellerId)).not.toBeNull();
    expect(await sweep(name, sellerId)).toBe('released');
    expect(await keptOf(sellerId)).toBeNull();
    expect((await signUp(name)).status).toBe(201);
  });

  it('whose claim was released meanwhile claims anew when it is repeated', async () => {
    const name = 'Second Breath';
    const key = aKey();
    market.faults.next = { type: 'SellerRegistered', when: 'before' };
    await signUp(name, key);
    const sellerId = (await holderOf(name)) ?? '';
    market.clock.time += UNUSED_CLAIM_MS;
    await sweep(name, sellerId);
    const { status } = await signUp(name, key);
    expect(status).toBe(201);
    expect(await holderOf(name)).toBe(sellerId);
  });

  it('after the registration: the repeated request signs in, and the sweep keeps the name', async () => {
    const name = 'Answer Lost';
    const key = aKey();
    market.faults.next = { type: 'SellerRegistered', when: 'after' };
    expect((await signUp(name, key)).status).toBe(500);
    const again = await signUp(name, key);
    expect(again.status).toBe(201);
    market.clock.time += UNUSED_CLAIM_MS;
    expect(await sweep(name, again.json.data.data.user_id)).toBe('kept');
    expect(await loginAs(name, 'long enough')).toBe(200);
  });
});

describe('a crash during a rename', () => {
  const steps = [
    { type: 'BusinessNameClaimed', when: 'before' },
    { type: 'BusinessNameClaimed', when: 'after' },
    { type: 'SellerProfileUpdated', when: 'before' },
    { type: 'SellerProfileUpdated', when: 'after' },
    { type: 'BusinessNameForgone', when: 'before' },
    { type: 'BusinessNameForgone', when: 'after' },
    { type: 'BusinessNameReleased', when: 'before' },
    { type: 'BusinessNameReleased', when: 'after' },
  ] as const;

  it.each(steps)('$when $type loses no name and leaves none held twice', async (fault) => {
    const before = `From ${fault.type} ${fault.when}`;
    const after = `To ${fault.type} ${fault.when}`;
    const seller = await market.register(before);
    market.faults.next = fault;
    expect((await rename(seller, after)).status).toBe(500);
    const works = [];
    for (const name of [before, after])
      if ((await loginAs(name, seller.password)) === 200) works.push(name);
    expect(works).toHaveLength(1);
    expect(await holderOf(works[0] ?? '')).toBe(seller.id);

    market.clock.time += UNUSED_CLAIM_MS;
    await Promise.all([sweep(before, seller.id), sweep(after, seller.id)]);
    for (const name of [before, after]) await sweep(name, seller.id);
    expect(await holderOf(works[0] ?? '')).toBe(seller.id);
    const other = works[0] === before ? after : before;
    expect(await holderOf(other)).toBeNull();
    expect((await signUp(other)).status).toBe(201);
  });

  it.each(steps)('$when $type is finished by the same request', async (fault) => {
    const before = `Again from ${fault.type} ${fault.when}`;
    const after = `Again to ${fault.type} ${fault.when}`;
    const seller = await market.register(before);
    const key = aKey();
    market.faults.next = fault;
    await rename(seller, after, key);
    expect((await rename(seller, after, key)).status).toBe(200);
    expect(await holderOf(after)).toBe(seller.id);
    const updates = await market.typesOf(`seller-${seller.id}`);
    expect(updates.filter((type) => type !== 'BusinessNameForgone')).toEqual([
      'SellerRegistered',
      'SellerProfileUpdated',
    ]);
  });
});

describe('a process that stands still while others go on', () => {
  /** Runs `then` once, before the first command of this type is handled. */
  function before(type: string, then: () => Promise<void>): void {
    const { handle } = market.deps;
    let isFirst = true;
    const stalled: Deps['handle'] = async (aggregate, id, command, context) => {
      const isIt = isFirst && (command as { readonly type?: string }).type === type;
      if (isIt) {
        isFirst = false;
        await then();
      }
      return handle(aggregate, id, command, context);
    };
    vi.spyOn(market.deps, 'handle').mockImplementation(stalled);
  }

  /** The sweep releases the expired claim; then somebody else signs up with the name. */
  async function loseTo(name: string, of: string): Promise<Seller> {
    market.clock.time += UNUSED_CLAIM_MS + 1;
    expect(await sweep(name, of)).toBe('released');
    return market.register(name);
  }

  it('at the password of a sign-up: the name is had by one, who can log in', async () => {
    const name = 'Slow Hash';
    const { passwords } = market.deps;
    const keep = passwords.keep.bind(passwords);
    let other: Seller | null = null;
    let loser = '';
    vi.spyOn(passwords, 'keep').mockImplementationOnce(async (...of) => {
      [loser] = of;
      other = await loseTo(name, loser);
      return keep(...of);
    });
    const late = await signUp(name);
    expect(late.status).toBe(409);
    expect(late.json.message).toBe('Business name is already taken!');
    const { id, password } = other ?? { id: '', password: '' };
    expect(await holderOf(name)).toBe(id);
    expect(await loginAs(name, password)).toBe(200);
    expect(await loginAs(name, 'long enough')).toBe(401);
    expect(await keptOf(loser)).toBeNull();
  });

  it('at the password of a sign-up whose name nobody took meanwhile: it is claimed anew', async () => {
    const name = 'Slow Alone';
    const { passwords } = market.deps;
    const keep = passwords.keep.bind(passwords);
    vi.spyOn(passwords, 'keep').mockImplementationOnce(async (...of) => {
      const version = await keep(...of);
      market.clock.time += UNUSED_CLAIM_MS + 1;
      expect(await sweep(name, (await holderOf(name)) ?? '')).toBe('released');
      return version;
    });
    const { status, json } = await signUp(name);
    expect(status).toBe(201);
    expect(await holderOf(name)).toBe(json.data.data.user_id);
    expect(await loginAs(name, 'long enough')).toBe(200);
  });

  it('in a rename: the new name is had by one, and both sellers can log in', async () => {
    const [from, to] = ['Slow Rename', 'Wanted By Two'];
    const seller = await market.register(from);
    let other: Seller | null = null;
    before('UpdateProfile', async () => {
      other = await loseTo(to, seller.id);
    });
    expect((await rename(seller, to)).status).toBe(409);
    const { id, password } = other ?? { id: '', password: '' };
    expect(await holderOf(to)).toBe(id);
    expect(await loginAs(to, password)).toBe(200);
    expect(await holderOf(from)).toBe(seller.id);
    expect(await loginAs(from, seller.password)).toBe(200);
  });

  it.each(['ForgoName', 'ReleaseName'])(
    'before its %s, while the seller goes back to the old name: they keep it',
    async (type) => {
      const [first, second] = [`First of ${type}`, `Second of ${type}`];
      const seller = await market.register(first);
      before(type, async () => {
        market.clock.time += UNUSED_CLAIM_MS + 1;
        expect((await rename(seller, first)).status).toBe(200);
      });
      expect((await rename(seller, second)).status).toBe(200);
      expect(await holderOf(first)).toBe(seller.id);
      expect(await loginAs(first, seller.password)).toBe(200);
      expect((await signUp(first)).status).toBe(409);
      await sweep(second, seller.id);
      expect(await holderOf(second)).toBeNull();
    },
  );
});
