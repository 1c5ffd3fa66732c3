import { DAY_MS, HOUR_MS } from '@oja/domain';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMailOutage, readRetryState } from '../src/index.js';
import { BuyerMail, ID } from './support/buyer-mail.js';

const idOf = (n: number) => `3f0c1b9e-0000-4000-8000-0000000001${String(n).padStart(2, '0')}`;

let market: BuyerMail;
beforeEach(async () => {
  market = await BuyerMail.open();
});
afterEach(() => market.close());

/** Orders of as many buyers, who have paid and confirmed: a receipt is owed to each. */
async function buyers(...addresses: readonly string[]): Promise<void> {
  for (const [n, address] of addresses.entries())
    await market.orderOf(idOf(n), address, 'paid', 'confirmed');
}

const BETWEEN_MS = 6 * HOUR_MS;

async function roundsFor(ms: number): Promise<void> {
  const { round } = market.office();
  for (let passed = 0; passed < ms; passed += BETWEEN_MS) {
    market.now += BETWEEN_MS;
    await round();
  }
}

const refusal = () => readMailOutage(market.stores.state, market.now);
const sentTo = () => market.letters.map(({ to }) => to).sort();
const outcomeOf = async (id: string) =>
  (await market.stores.state.get('letters', `receipt/${id}`, market.now))?.value.outcome ?? null;
const laterOf = (id: string) => readRetryState(market.stores.state, 'receipt', id, market.now);

describe('a mail server that refuses every letter', () => {
  it('is told of, and no letter is given up for it', async () => {
    const addresses = [
      'ada@example.com',
      'bisi@example.com',
      'chidi@example.com',
      'dayo@b.example',
    ];
    await buyers(...addresses);
    market.refusesAll = true;
    await market.office().round();
    expect(await refusal()).toEqual({
      since: new Date(market.now).toISOString(),
      error: '550 5.7.1 <[e-mail]>: relaying denied',
    });
    await roundsFor(10 * DAY_MS);
    market.refusesAll = false;
    await roundsFor(3 * DAY_MS);
    expect(sentTo()).toEqual(addresses);
    expect(await refusal()).toBeNull();
  });

  it('is asked again by the hour, so that letters go out soon after it takes them', async () => {
    await buyers('ada@example.com', 'bisi@example.com', 'chidi@example.com', 'dayo@example.com');
    market.refusesAll = true;
    await roundsFor(3 * DAY_MS);
    market.refusesAll = false;
    await roundsFor(BETWEEN_MS);
    expect(sentTo()).toEqual(expect.arrayContaining(['chidi@example.com', 'dayo@example.com']));
  });

  it('is not one that refuses some, however often, while it takes others', async () => {
    await buyers('ada@example.com', 'bisi@example.com', 'chidi@example.com');
    for (const name of ['ada', 'bisi', 'chidi']) market.putsOff.add(`${name}@example.com`);
    await market.order('paid', 'confirmed');
    await roundsFor(BETWEEN_MS);
    await market.orderOf(idOf(9), 'dayo@example.com', 'paid', 'confirmed');
    await roundsFor(DAY_MS);
    expect(await refusal()).toBeNull();
    expect(sentTo()).toEqual(['dayo@example.com', 'ngozi@example.com']);
  });

  it('cannot be told from two mistyped addresses by the letters to them alone', async () => {
    market.unknown = 'nobody@example.com';
    market.putsOff.add('ngozi@example.com');
    await buyers(...Array.from({ length: 4 }, () => 'nobody@example.com'));
    await market.order('paid', 'confirmed');
    await roundsFor(8 * DAY_MS);
    expect(await refusal()).toBeNull();
    // The server has taken nothing since, so that it may be the server after all.
    expect([await outcomeOf(idOf(0)), await outcomeOf(ID)]).toEqual([null, null]);
    market.putsOff.clear();
    await roundsFor(4 * DAY_MS);
    expect([await outcomeOf(idOf(0)), await outcomeOf(ID)]).toEqual(['refused', 'sent']);
  });

  it('gets no more letters at once than one that is away', async () => {
    await buyers(...Array.from({ length: 9 }, (_, n) => `buyer-${n}@example.com`));
    market.refusesAll = true;
    await market.office().round();
    // Two that may be at fault themselves, and five more.
    expect(market.askedFor).toHaveLength(7);
  });
});

describe('an address that the mail server always answers later', () => {
  it('delays no letter to anybody else', async () => {
    const mistyped = Array.from({ length: 5 }, (_, n) => `buyer@typo-${n}.example`);
    for (const address of mistyped) market.putsOff.add(address);
    await buyers(...mistyped, 'ada@example.com');
    await market.office().round();
    expect(sentTo()).toEqual(['ada@example.com']);
    expect(await refusal()).toBeNull();
  });

  it('is given up after five days', async () => {
    market.putsOff.add('buyer@typo.example');
    await buyers('buyer@typo.example');
    await market.office().round();
    await market.order('paid', 'confirmed');
    await roundsFor(5 * DAY_MS - BETWEEN_MS);
    expect(await laterOf(idOf(0))).toMatchObject({ refusals: 0 });
    expect(await outcomeOf(idOf(0))).toBeNull();
    await roundsFor(2 * BETWEEN_MS);
    expect(await outcomeOf(idOf(0))).toBe('refused');
    expect(await outcomeOf(ID)).toBe('sent');
  });

  it('gets its letter as soon as it is answered otherwise', async () => {
    market.putsOff.add('ada@example.com');
    await buyers('ada@example.com');
    const { mailer, round } = market.office();
    // A queue does not try again within seconds: the round does within minutes.
    expect(await mailer.deliver('receipt', idOf(0))).toBe('later');
    market.putsOff.clear();
    await round();
    expect(sentTo()).toEqual(['ada@example.com']);
  });
});
