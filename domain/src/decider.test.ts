import { describe, expect, it } from 'vitest';
import { given } from '../test/given.js';
import { place } from '../test/orders.js';
import { checkNew, parserOf } from './decider.js';

import { transaction, transactionEvents } from './transaction/index.js';

const expired = { transactionId: 'o', at: '2026-03-01T08:00:00.000Z' };
const check = (type: string, data: unknown) => () => checkNew(transactionEvents, { type, data });

describe('what is appended', () => {
  it('must have every field, rightly', () => {
    expect(check('OrderExpired', expired)).not.toThrow();
    expect(check('OrderExpired', { ...expired, at: 'today' })).toThrow(/ISO/i);
    expect(check('OrderExpired', { at: expired.at })).toThrow(/transactionId/);
  });

  it('must be of a type of its aggregate', () => {
    expect(check('SellerSuspended', {})).toThrow('no event of this aggregate');
    expect(check('toString', {})).toThrow('no event of this aggregate');
  });

  it('must have no field that its type does not know, at any depth', () => {
    expect(check('OrderExpired', { ...expired, why: 1 })).toThrow('OrderExpired has no field why');
    const decision = transaction.decide(place, transaction.initial);
    const [event] = decision.ok ? decision.events : [];
    const { lines = [], ...rest } = event?.type === 'OrderPlaced' ? event.data : {};
    const spoiled = { ...rest, lines: lines.map((each) => ({ ...each, colour: 'red' })) };
    expect(check('OrderPlaced', spoiled)).toThrow('OrderPlaced has no field lines[0].colour');
  });

  it('is parsed once for all who read the same event', () => {
    const data = { ...expired };
    const { OrderExpired } = transactionEvents;
    const parsed = transaction.parse('OrderExpired', data)?.data;
    expect(parserOf({ OrderExpired })('OrderExpired', data)?.data).toBe(parsed);
    expect(transaction.parse('OrderExpired', { ...data })?.data).not.toBe(parsed);
  });

  it('is read all the same when a newer program has written more', () => {
    expect(transaction.parse('OrderExpired', { ...expired, why: 1 })).toEqual({
      type: 'OrderExpired',
      data: expired,
    });
    expect(transaction.parse('Unheard', {})).toBeNull();
    expect(() => transaction.parse('OrderExpired', {})).toThrow();
  });

  it('is checked whenever an aggregate decides', () => {
    const wrong = { ...place, at: 'today' };
    expect(() => given(transaction).when(wrong)).toThrow(/ISO/i);
  });
});
