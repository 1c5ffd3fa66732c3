import { StoreUnavailable, WrongMasterKey } from '@oja/platform';
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

it('says which master key opens the keys, since a command may have been the first to use one', () => {
  const { sentence, code } = toOutcome(new WrongMasterKey());
  expect([sentence, code]).toEqual([expect.stringMatching(/: set the one .* first opened/), 78]);
});
