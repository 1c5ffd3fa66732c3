import { StoreUnavailable } from '@oja/platform';
import { expect, it } from 'vitest';
import { toOutcome } from './outcome.js';

it('ends with one full stop, whether the engine has said one or not', () => {
  const said = (message: string, permanent: boolean) =>
    toOutcome(new StoreUnavailable('Redis', message, permanent)).sentence;
  expect(said('Redis refuses it: no.', true)).toBe('Redis refuses it: no.');
  expect(said('Redis is gone: Connection is closed.', false)).toMatch(
    /closed\. See whether it runs/,
  );
});
