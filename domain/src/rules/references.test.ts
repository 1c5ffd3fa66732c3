import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  isReferenceOf,
  orderKey,
  orderKeyParts,
  orderNumber,
  paymentReference,
  transactionOfReference,
} from './references.js';

const attempt = fc.integer({ min: 1, max: 9_999 });

it('a reference leads to its order and to no other', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), attempt, (id, other, n) => {
      const reference = paymentReference(id, n);
      expect(transactionOfReference(reference)).toBe(id);
      expect(isReferenceOf(reference, id)).toBe(true);
      expect(isReferenceOf(reference, other)).toBe(id === other);
    }),
  );
});

const ORDER = '0b8f4c1e-5d0a-4f0e-9a86-3d1c7e52b9f4';

it('the first reference is the order itself, and each further one counts', () => {
  expect(paymentReference(ORDER, 1)).toBe(ORDER);
  expect(paymentReference(ORDER, 2)).toBe(`${ORDER}-2`);
  expect(transactionOfReference(ORDER)).toBe(ORDER);
  expect(transactionOfReference(`${ORDER}-9999`)).toBe(ORDER);
});

it.each([
  ...['', 'x', 'aside-1', `${ORDER}-0`, `${ORDER}-x2`, `${ORDER}-2x`, `${ORDER}-10000`],
  ...[`aside-${ORDER}`, `${ORDER}-`, `${ORDER}-2-3`],
])('%j is no reference', (reference) => {
  expect(transactionOfReference(reference)).toBeNull();
  expect(isReferenceOf(reference, ORDER)).toBe(false);
});

it('people say the first eight characters of an order', () => {
  expect(orderNumber(ORDER)).toBe('0B8F4C1E');
});

it('a key tells its order and its secret, a bare id no secret', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.stringMatching(/^[\w-]{22}$/), (transactionId, secret) => {
      expect(orderKeyParts(orderKey(transactionId, secret))).toEqual({ transactionId, secret });
      expect(orderKeyParts(transactionId)).toEqual({ transactionId, secret: '' });
    }),
  );
});
