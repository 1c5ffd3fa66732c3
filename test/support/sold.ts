import { expect } from 'vitest';
import { readBooks } from '../chaos/books.js';
import type { Engines } from '../chaos/engines.js';
import { leftToDo } from '../chaos/settle.js';
import { judge } from '../chaos/verdict.js';

/**
 * Waits until nothing is left to do, and checks that every order was placed, paid and told of exactly once. For
 * markets with manual payouts, in which every buyer got an answer.
 * @param ids the ids that buyers got; null for an order whose buyer got none
 * @param orders how many orders were begun
 * @returns what was compared
 */
export async function expectSoldOnce(
  engines: Engines,
  ids: Iterable<string | null>,
  orders: number,
) {
  // Payouts are manual, and the provider repeats lost notices at times of its own.
  const left = async () =>
    (await leftToDo(engines, Date.now())).filter((name) => !/^(payout\/|due:)/.test(name));
  await expect.poll(left, { timeout: 120_000 }).toEqual([]);
  const books = await readBooks(engines, Date.now());
  const known = new Set([...ids].map((id) => id ?? 'untold'));
  expect(judge({ ...books, known, untold: 0 })).toEqual({ lost: [], doubled: [], unbalanced: [] });
  expect(known.size).toBe(orders);
  const orderBooks = [...books.orders.values()];
  expect(orderBooks.filter(({ verified }) => verified.length !== 1)).toEqual([]);
  return books;
}
