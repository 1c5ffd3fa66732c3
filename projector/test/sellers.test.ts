import type { SellerDocument } from '@oja/contracts/models';
import type { SellerEvent } from '@oja/domain';
import { expect, it } from 'vitest';
import { sellers } from '../src/projections/sellers.js';
import { MemoryDocuments } from './support/documents.js';
import { contents, follow } from './support/follow.js';
import { MemoryLog } from './support/log.js';
import { recorded } from './support/shop.js';

const sealed = (text: string) => ({ sealed: text, subject: 'seller:ada' });
const signUp: SellerEvent = {
  type: 'SellerRegistered',
  data: { sellerId: 'ada', businessName: 'Ada Bags', name: sealed('Ada'), phone: sealed('0803') },
};
const by = { sellerId: 'ada', by: 'operator' };

/** Ada as the read model knows her after these events, and what the owner of her address is to be told of. */
async function after(...events: readonly SellerEvent[]) {
  const log = new MemoryLog();
  log.record([signUp, ...events].map(({ type, data }, i) => recorded('seller-ada', i, type, data)));
  const documents = new MemoryDocuments();
  await follow(log, documents, sellers, { batchSize: 500 });
  const tables = contents(documents, sellers);
  const seller: SellerDocument = JSON.parse(tables.sellers?.ada ?? 'null');
  const warnings = Object.values(tables.warnings ?? {}).map((text) => JSON.parse(text));
  return { seller, warnings };
}

it('a seller is suspended until they are reinstated', async () => {
  const suspended: SellerEvent = { type: 'SellerSuspended', data: by };
  expect((await after()).seller.isSuspended).toBe(false);
  expect((await after(suspended)).seller.isSuspended).toBe(true);
  const { seller } = await after(suspended, { type: 'SellerReinstated', data: by });
  expect(seller.isSuspended).toBe(false);
});

it('a seller is of the staff while they are an admin of either kind', async () => {
  const admin: SellerEvent = { type: 'SubAdminGranted', data: by };
  const head: SellerEvent = { type: 'HeadAdminGranted', data: by };
  expect((await after()).seller).toMatchObject({ isStaff: false });
  expect((await after(admin)).seller).toMatchObject({ isSubAdmin: true, isStaff: true });
  expect((await after(head)).seller).toMatchObject({ isAdmin: true, isStaff: true });
  const only = await after(admin, head, { type: 'HeadAdminRevoked', data: by });
  expect(only.seller).toMatchObject({ isAdmin: false, isSubAdmin: true, isStaff: true });
  const none = await after(admin, { type: 'SubAdminRevoked', data: by });
  expect(none.seller).toMatchObject({ isSubAdmin: false, isStaff: false });
});

it('a seller has the names and the number that they gave last', async () => {
  const given = { businessName: 'Ada Luxury', name: sealed('Ada O.'), phone: sealed('0805') };
  const { seller } = await after({
    type: 'SellerProfileUpdated',
    data: { sellerId: 'ada', ...given },
  });
  expect(seller).toMatchObject({ ...given, businessNameKey: 'ada-luxury' });
  expect((await after()).seller).toMatchObject({ phone: sealed('0803') });
});

it('the owner of an address is told of what a thief would do, once the address is confirmed, and of nothing else', async () => {
  const own = { sellerId: 'ada' };
  const account: SellerEvent = {
    type: 'PayoutAccountSet',
    data: { ...own, accountName: sealed('n'), accountNumber: sealed('1'), bankCode: sealed('b') },
  };
  const changed: SellerEvent = { type: 'SellerPasswordChanged', data: own };
  const letters = (on: boolean): SellerEvent => ({
    type: 'SellerLettersSwitched',
    data: { ...own, on },
  });
  const email = sealed('ada@example.com');
  const asked = { ...own, ask: 1, email, code: sealed('000001'), at: '2026-03-01T08:00:00.000Z' };
  const confirmed: readonly SellerEvent[] = [
    { type: 'SellerEmailAsked', data: asked },
    { type: 'SellerEmailConfirmed', data: { ...own, ask: 1 } },
  ];
  expect((await after(changed, ...confirmed)).warnings).toEqual([]);
  const harmless = [account, letters(true), { type: 'SellerSuspended', data: by } as const];
  expect((await after(...confirmed, ...harmless)).warnings).toEqual([]);
  const { warnings } = await after(...confirmed, account, account, changed, letters(false));
  expect(warnings).toMatchObject(
    ['PayoutAccountSet', 'SellerPasswordChanged', 'SellerLettersSwitched'].map((type) => ({
      type,
      email,
    })),
  );
});
