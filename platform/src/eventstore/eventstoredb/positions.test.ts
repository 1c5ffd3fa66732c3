import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { positionOf } from '../position.js';
import { fromServer, toServer } from './positions.js';

const serverNumber = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });

describe('The positions of EventStoreDB', () => {
  it('come back as they went, as 20 digits', () => {
    fc.assert(
      fc.property(serverNumber, (number) => {
        const position = fromServer({ commit: number, prepare: number });
        expect(position).toMatch(/^\d{20}$/);
        expect(position && toServer(position)).toEqual({ commit: number, prepare: number });
      }),
    );
  });

  it('sort as text as they do as numbers', () => {
    fc.assert(
      fc.property(serverNumber, serverNumber, (a, b) => {
        expect(positionOf(a) < positionOf(b)).toBe(a < b);
      }),
    );
  });

  it('are not made of two different numbers', () =>
    expect(fromServer({ commit: 9n, prepare: 7n })).toBeNull());

  it('stand at the end of all when they are beyond what the server counts to', () =>
    expect(toServer(positionOf(10n ** 20n - 1n)).commit).toBe(2n ** 63n - 1n));
});
