import type { LedgerDocument } from '@oja/contracts/models';
import { describe, expect, it } from 'vitest';
import type { LoggedOrder } from './log-books.js';
import type { Captured } from './sandbox-books.js';
import { type Books, judge } from './verdict.js';

const nothing = { payable: 0, paidOut: 0, refundsDue: 0, heldAside: 0, losses: 0 };
const held: LedgerDocument = {
  ...nothing,
  cash: 950,
  providerFees: 50,
  held: 900,
  house: 100,
  balanced: true,
};
const paid: Captured = {
  providerId: '7',
  reference: 'a',
  transactionId: 'a',
  amount: 1_000,
  givenBack: 0,
};
const order: LoggedOrder = {
  transactionId: 'a',
  sellerIds: ['ada'],
  amount: 1_000,
  verified: ['7'],
  aside: [],
  reversed: false,
};

/** Books of one paid order in which everything agrees, with the given changes. */
const books = (other: Partial<Books> = {}): Books => ({
  provider: { captured: [paid], paidOut: [] },
  orders: new Map([['a', order]]),
  known: new Set(['a']),
  untold: 0,
  notices: [{ sellerId: 'ada', transactionId: 'a', type: 'PaymentVerified' }],
  unread: new Map([['ada', 1]]),
  accounts: new Map([
    ['all', held],
    ['a', held],
  ]),
  ...other,
});
const logged = (other: Partial<LoggedOrder>) => new Map([['a', { ...order, ...other }]]);

describe('the verdict', () => {
  it('finds nothing where everything agrees', () => {
    expect(judge(books())).toEqual({ lost: [], doubled: [], unbalanced: [] });
  });

  it.each<[string, Partial<Books>]>([
    ['a payment that was not verified', { orders: logged({ verified: [] }), notices: [] }],
    ['an order that its buyer was told of and that is not there', { known: new Set(['a', 'b']) }],
    ['a notice that never came', { notices: [], unread: new Map() }],
  ])('finds lost: %s', (_, other) => {
    expect(judge(books(other)).lost).not.toEqual([]);
  });

  it.each<[string, Partial<Books>]>([
    ['a payment that was verified twice', { orders: logged({ verified: ['7', '7'] }) }],
    [
      'two payments that were kept',
      {
        provider: { captured: [paid, { ...paid, reference: 'a-2', providerId: '8' }], paidOut: [] },
        orders: logged({ aside: ['8'] }),
      },
    ],
    ['an order nobody asked for', { known: new Set() }],
    [
      'more given back than was paid',
      { provider: { captured: [{ ...paid, givenBack: 2_000 }], paidOut: [] } },
    ],
    [
      'a share that was paid out twice',
      {
        provider: {
          captured: [paid],
          paidOut: [
            { reference: 'a_0_0', amount: 900 },
            { reference: 'a_0_1', amount: 900 },
          ],
        },
      },
    ],
    ['a notice that a bell counts twice', { unread: new Map([['ada', 2]]) }],
  ])('finds doubled: %s', (_, other) => {
    expect(judge(books(other)).doubled).not.toEqual([]);
  });

  it.each<[string, Partial<Books>]>([
    [
      'accounts that do not add up',
      {
        accounts: new Map([
          ['all', { ...held, house: 99 }],
          ['a', { ...held, house: 99 }],
        ]),
      },
    ],
    ['a market that is not the sum of its orders', { accounts: new Map([['all', held]]) }],
    [
      'money the provider has given back and the ledger has not',
      { provider: { captured: [{ ...paid, givenBack: 10 }], paidOut: [] } },
    ],
    [
      'money the provider has paid out and the ledger has not',
      { provider: { captured: [paid], paidOut: [{ reference: 'a_0_0', amount: 900 }] } },
    ],
    ['a payment that the provider does not know', { provider: { captured: [], paidOut: [] } }],
  ])('finds unbalanced: %s', (_, other) => {
    expect(judge(books(other)).unbalanced).not.toEqual([]);
  });
});
