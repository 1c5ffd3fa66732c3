import { businessNameKey, UNUSED_CLAIM_MS } from '@oja/domain';
import { describe, expect, it } from 'vitest';
import { hour } from '../../domain/test/orders.js';
import { dueOf } from './support/owed.js';
import { recorded } from './support/shop.js';

const sealed = { sealed: 'x', subject: 'seller:ada' };

const claimed = (businessName: string, at: string) => {
  const nameKey = businessNameKey(businessName);
  const data = { nameKey, businessName, sellerId: 'ada', at };
  return recorded(`name-${nameKey}`, 0, 'BusinessNameClaimed', data);
};
const released = (businessName: string) => {
  const nameKey = businessNameKey(businessName);
  return recorded(`name-${nameKey}`, 1, 'BusinessNameReleased', { nameKey, sellerId: 'ada' });
};
type Use = readonly [businessName: string, hours: number];

/** What Ada calls her store: the first as she signs up. */
const called = (...names: readonly Use[]) =>
  names.map(([businessName, hours], revision) => {
    const type = revision === 0 ? 'SellerRegistered' : 'SellerProfileUpdated';
    const data = { sellerId: 'ada', businessName, name: sealed, phone: sealed };
    const event = recorded('seller-ada', revision, type, data);
    return { ...event, metadata: { ...event.metadata, time: hour(hours) } };
  });

const dueAfter = (names: ReturnType<typeof claimed>[], ...uses: readonly Use[]) =>
  dueOf('release-name', names, called(...uses));
/** When a name that is in no use from this hour on is to be released. */
const unusedSince = (hours: number) =>
  new Date(Date.parse(hour(hours)) + UNUSED_CLAIM_MS).toISOString();

const bags = claimed('Ada Bags', hour(1));
const luxury = claimed('Ada Luxury', hour(5));

describe('a business name that was claimed', () => {
  it('is released when nobody signs up with it', async () => {
    expect(await dueAfter([bags])).toEqual([['ada-bags', unusedSince(1)]]);
  });

  it('is kept while its holder uses it', async () => {
    expect(await dueAfter([bags], ['Ada Bags', 1])).toEqual([]);
    expect(await dueAfter([bags], ['ADA  bags', 1], ['Ada Bags', 3])).toEqual([]);
  });

  it('is released after its holder has taken another, and that one is kept', async () => {
    const renamed = [
      ['Ada Bags', 1],
      ['Ada Luxury', 6],
    ] as const;
    expect(await dueAfter([bags, luxury], ...renamed)).toEqual([['ada-bags', unusedSince(6)]]);
    expect(await dueAfter([bags, luxury], ...renamed, ['Ada Luxury', 9])).toEqual([
      ['ada-bags', unusedSince(6)],
    ]);
  });

  it('is released when its holder never took it, counted from the claim', async () => {
    expect(await dueAfter([bags, luxury], ['Ada Bags', 1])).toEqual([
      ['ada-luxury', unusedSince(5)],
    ]);
  });

  it('is kept when its holder goes back to it', async () => {
    expect(
      await dueAfter([bags, luxury], ['Ada Bags', 1], ['Ada Luxury', 6], ['Ada Bags', 8]),
    ).toEqual([['ada-luxury', unusedSince(8)]]);
  });

  it('is owed no more once it is released', async () => {
    expect(await dueAfter([bags, released('Ada Bags')])).toEqual([]);
    const renamed = [
      ['Ada Bags', 1],
      ['Ada Luxury', 6],
    ] as const;
    expect(await dueAfter([bags, released('Ada Bags'), luxury], ...renamed)).toEqual([]);
  });
});
