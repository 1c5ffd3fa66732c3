import { DAY_MS, UNCONFIRMED_AFTER_MS } from '@oja/domain/rules';
import { describe, expect, it } from 'vitest';
import { aTransaction, aUser } from '../../../test/admin.js';
import { forEachConcurrently } from '../../api/concurrent.js';
import { phoneText, toCsv } from '../../ui/CsvButton.js';
import { filterAdmins, filterSellers, findUsers } from './api.js';
import { cellValue, csvRows } from './BuyersTable.js';
import {
  applyTableChange,
  filterRows,
  findContinuedRows,
  listSellers,
  noFilter,
  parseTableState,
  sortRows,
  sumRows,
  toBuyerRows,
} from './buyer-rows.js';
import { NEEDS_PERSON } from './labels.js';
import { isLedgerBalanced } from './Overview.js';
import { sellerRows } from './SellersPage.js';

const musa = aUser({ user_id: 's1', businessName: 'Musa & Sons' });
const ada = aUser({ user_id: 's2', businessName: 'Ada Fabrics', is_subAdmin: 1 });
const head = aUser({ user_id: 's3', businessName: 'Oja Hands', is_admin: 1 });
const users = [musa, ada, head];

describe('people', () => {
  it('are sellers unless they are head admins, and admins when either flag is set', () => {
    expect(filterSellers(users)).toEqual([musa, ada]);
    expect(filterAdmins(users)).toEqual([ada, head]);
  });

  it('are found by their exact id, or their business name in whatever case', () => {
    expect(findUsers(users, 's2')).toEqual([ada]);
    expect(findUsers(users, ' MUSA & sons ')).toEqual([musa]);
    expect(findUsers(users, 'S2')).toEqual([]);
    expect(findUsers(users, 'Musa')).toEqual([]);
    expect(findUsers(users, '')).toEqual(users);
    // As an iPhone types it.
    const adas = aUser({ businessName: "Ada's Bags" });
    expect(findUsers([musa, adas], 'ada’s bags')).toEqual([adas]);
  });
});

describe("the rows of the sellers' file", () => {
  const sellers = [
    aUser({ user_id: 's1', name: 'Musa Garba', businessName: 'Musa & Sons' }),
    aUser({ ...ada, name: '=1+1', phone_1: '+2348034127765', is_suspended: 1 }),
    aUser({ user_id: 's4', name: null, businessName: '@Oja', phone_1: null, erased: 1 }),
  ];
  const rows = sellerRows(sellers);

  it('are one a seller, with role and state in words and what was destroyed as removed', () => {
    expect(rows).toEqual([
      ['s1', 'Musa Garba', 'Musa & Sons', '0806 551 2904', 'Seller', 'Active'],
      ['s2', '=1+1', 'Ada Fabrics', '0803 412 7765', 'Sub-admin', 'Suspended'],
      ['s4', 'removed', '@Oja', 'removed', 'Seller', 'Erased'],
    ]);
  });

  it('are calculated by no spreadsheet: names stay texts, and telephone numbers keep their 0', () => {
    const [, ...lines] = toCsv(['ID'], rows).trim().split('\r\n');
    expect(lines).toEqual([
      's1,Musa Garba,Musa & Sons,0806 551 2904,Seller,Active',
      "s2,'=1+1,Ada Fabrics,0803 412 7765,Sub-admin,Suspended",
      "s4,removed,'@Oja,removed,Seller,Erased",
    ]);
  });
});

describe('the rows of the table', () => {
  const two = aTransaction({
    transaction_id: 't1',
    product_ids: 'p1,p2',
    quantities: '2,1',
    prices: '17250,18400',
    user_ids: 's1,s2',
  });
  const one = aTransaction({ transaction_id: 't2', recieved: 'DELIVERED', buyer_name: null });
  const rows = toBuyerRows([two, one]);

  it('are one a product', () => {
    expect(
      rows.map(({ productId, quantity, price, sellerId }) => [
        productId,
        quantity,
        price,
        sellerId,
      ]),
    ).toEqual([
      ['p1', 2, 17_250, 's1'],
      ['p2', 1, 18_400, 's2'],
      ['p1', 1, 5_000, 's1'],
    ]);
    expect([...findContinuedRows(rows)]).toEqual(['t1/1']);
  });

  it('are filtered by words anywhere in them and by where they stand', () => {
    expect(filterRows(rows, { ...noFilter, find: 'T2' })).toHaveLength(1);
    expect(filterRows(rows, { ...noFilter, find: 'halima p2' })).toHaveLength(1);
    expect(filterRows(rows, { ...noFilter, recieved: 'DELIVERED' })).toHaveLength(1);
    expect(filterRows(rows, { ...noFilter, find: 'nobody' })).toEqual([]);
  });

  it('are filtered by seller and by days of payment in Lagos, both included', () => {
    expect(filterRows(rows, { ...noFilter, seller: 's2' }).map(({ id }) => id)).toEqual(['t1/1']);
    const late = toBuyerRows([aTransaction({ paid_at: '2026-11-20T23:30:00.000Z' })]);
    expect(filterRows(late, { ...noFilter, from: '2026-11-21', to: '2026-11-21' })).toHaveLength(1);
    expect(filterRows(late, { ...noFilter, to: '2026-11-20' })).toEqual([]);
    expect(filterRows(late, { ...noFilter, from: '2026-99-99' })).toHaveLength(1);
    const unpaid = toBuyerRows([aTransaction({ paid_at: null })]);
    expect(filterRows(unpaid, { ...noFilter, to: '2026-11-20' })).toEqual([]);
  });

  it('are of sellers by the newest of their names', () => {
    const ofShop = (businessName: string) =>
      aTransaction({
        shares: [{ user_id: 's1', businessName, share: 4_348, status: 'held' }],
      });
    const newestFirst = [ofShop('Iyá Bọ́sẹ̀ & Sons'), ofShop('Ṣadé’s Àṣọ'), ofShop('Musa & Sons')];
    expect(listSellers(newestFirst)).toEqual([['s1', 'Iyá Bọ́sẹ̀ & Sons']]);
  });

  it('are those that need a person: disputes, and what nobody confirms for long', () => {
    const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
    const some = toBuyerRows([
      aTransaction({ transaction_id: 'young', paid_at: ago(DAY_MS) }),
      aTransaction({ transaction_id: 'late', paid_at: ago(UNCONFIRMED_AFTER_MS) }),
      aTransaction({ transaction_id: 'disputed', recieved: 'DISPUTED', paid_at: ago(DAY_MS) }),
      aTransaction({ transaction_id: 'done', recieved: 'DELIVERED', paid_at: ago(99 * DAY_MS) }),
    ]);
    const found = filterRows(some, { ...noFilter, recieved: NEEDS_PERSON });
    expect(found.map(({ transaction }) => transaction.transaction_id)).toEqual([
      'late',
      'disputed',
    ]);
  });

  it('add up: every piece of the goods, and every order once', () => {
    expect(sumRows(rows)).toEqual({ orders: 2, pieces: 4, goods: 57_900, amount: 11_600 });
    const kobo = toBuyerRows([aTransaction({ prices: '0.1', quantities: '3', amount: 0.1 })]);
    expect(sumRows([...kobo, ...kobo])).toMatchObject({ goods: 0.6, amount: 0.1 });
  });

  it('are a file whose amounts add up and whose telephone numbers stay whole', () => {
    const file = csvRows(rows);
    expect(file.map((cells) => cells[3])).toEqual([5_800, '', 5_800]);
    expect(file[0]?.[10]).toBe('0902 645 1180');
  });

  it('are a file whose times stand on the day in Lagos that found them', () => {
    const late = toBuyerRows([aTransaction({ paid_at: '2026-11-20T23:30:00.000Z' })]);
    const [cells] = csvRows(filterRows(late, { ...noFilter, from: '2026-11-21' }));
    expect(cells?.[4]).toBe('2026-11-21T00:30:00+01:00');
    expect(csvRows(toBuyerRows([aTransaction({ paid_at: null })]))[0]?.[4]).toBe('');
  });

  it('are sorted by what a column shows, texts in whatever case, and equal ones stay in order', () => {
    const named = toBuyerRows(
      ['ọlá', 'Ada', 'ola', 'bisi'].map((buyer_name, i) =>
        aTransaction({ transaction_id: `t${i}`, buyer_name, amount: 9_000 + 500 * i }),
      ),
    );
    const by = (id: string, desc = false) =>
      sortRows(named, cellValue(id), desc).map(({ transaction }) => transaction.buyer_name);
    expect(by('buyer_name')).toEqual(['Ada', 'bisi', 'ọlá', 'ola']);
    expect(by('buyer_name', true)).toEqual(['ọlá', 'ola', 'bisi', 'Ada']);
    expect(by('amount')).toEqual(['ọlá', 'Ada', 'ola', 'bisi']);
    expect(by('amount', true)).toEqual(['bisi', 'ola', 'Ada', 'ọlá']);
    expect(by('currency', true)).toEqual(['ọlá', 'Ada', 'ola', 'bisi']);
  });
});

describe('the address of the table', () => {
  it('says how it is sorted, filtered and paged, and nothing that is as at first', () => {
    const start = new URLSearchParams('view=buyers');
    expect(parseTableState(start)).toEqual({
      sorting: [{ id: 'created_at', desc: true }],
      page: 0,
      ...noFilter,
    });
    const sorted = applyTableChange(start, { sorting: [{ id: 'amount', desc: false }] });
    expect(String(sorted)).toBe('view=buyers&sort=amount');
    const paged = applyTableChange(sorted, { page: 2 });
    expect(parseTableState(paged)).toMatchObject({
      page: 2,
      sorting: [{ id: 'amount', desc: false }],
    });
    expect(String(applyTableChange(paged, { find: 'ada' }))).toBe(
      'view=buyers&sort=amount&find=ada',
    );
    expect(parseTableState(new URLSearchParams('page=-3')).page).toBe(0);
    expect(parseTableState(new URLSearchParams('page=x')).page).toBe(0);
  });
});

describe('the file', () => {
  it('spreads no cell over two, runs none, and leaves telephone numbers their first digit', () => {
    const cells = ['=1+1', ' =1+1', '＝1+1', '\n@x', 'x;=1+1'];
    expect(
      toCsv(
        ['a'],
        cells.map((cell) => [cell]),
      ),
    ).toBe(`\uFEFFa\r\n'=1+1\r\n' =1+1\r\n'＝1+1\r\n"'\n@x"\r\n"x;=1+1"\r\n`);
    const numbers = ['08034127765', '+2348034127765', '0803 412-7765'];
    expect(new Set(numbers.map(phoneText))).toEqual(new Set(['0803 412 7765']));
    expect(phoneText('removed')).toBe('removed');
  });

  it('is UTF-8 with a mark, CRLF, quoted where needed, and runs nothing', () => {
    const file = toCsv(
      ['Name', 'Qty'],
      [
        ['Ada, "the" Bola', 2],
        ['=1+1', -3],
        ['@x', 0],
        ['-5', 1],
        ['+a\nb', 4],
      ],
    );
    expect(file).toBe(
      '\uFEFFName,Qty\r\n"Ada, ""the"" Bola",2\r\n\'=1+1,-3\r\n\'@x,0\r\n\'-5,1\r\n"\'+a\nb",4\r\n',
    );
  });
});

describe('removing what was delivered', () => {
  it('works on at most so many at a time, and on all', async () => {
    let now = 0;
    let most = 0;
    const seen: number[] = [];
    await forEachConcurrently([1, 2, 3, 4, 5, 6, 7], 4, async (item) => {
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      seen.push(item);
      now -= 1;
    });
    expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(4);
  });
});

describe('the money bar', () => {
  const accounts = [
    { name: 'Held', amount: 0.1 },
    { name: 'House', amount: 0.2 },
  ];
  it('adds up to the kobo, and only when the books do too', () => {
    expect(isLedgerBalanced({ cash: 0.3, accounts, balanced: true })).toBe(true);
    expect(isLedgerBalanced({ cash: 0.31, accounts, balanced: true })).toBe(false);
    expect(isLedgerBalanced({ cash: 0.3, accounts, balanced: false })).toBe(false);
  });
});
