import { expect, it, vi } from 'vitest';
import { createLogger } from '../logging/logger.js';
import { createMemoryState, createMemoryStateData } from '../memory/state.js';
import { createKeyWatch, keyRefusal, loggedFailure } from './failures.js';

const NOON = Date.parse('2026-01-31T12:00:00Z');
const clock = { now: () => NOON };

it('a failure is logged in the provider’s words, without secrets and personal data', () => {
  const message = 'sk_live_1a2b of ada@example.com may not pay 0123456789';
  expect(loggedFailure({ ok: false, reason: 'refused', message })).toEqual({
    reason: 'refused',
    message: '[secret] of [e-mail] may not pay [number]',
  });
  expect(loggedFailure({ ok: false, reason: 'unreachable' })).toEqual({ reason: 'unreachable' });
});

it('a key that the provider refuses is noted until it takes one, by whichever process', async () => {
  const state = createMemoryState(createMemoryStateData());
  const logger = createLogger({ level: 'silent', service: 'test' });
  const error = vi.spyOn(logger, 'error');
  const first = createKeyWatch({ state, clock, logger });
  await first(null);
  expect(await keyRefusal(state, clock.now())).toBeNull();
  await first('Invalid key');
  await first('Invalid key');
  expect(await keyRefusal(state, clock.now())).toEqual({
    since: '2026-01-31T12:00:00.000Z',
    message: 'Invalid key',
  });
  expect(error).toHaveBeenCalledTimes(1);
  // Restarted with the right key.
  await createKeyWatch({ state, clock, logger })(null);
  expect(await keyRefusal(state, clock.now())).toBeNull();
});

it('a key that another process was refused is cleared by one that goes on with the right key', async () => {
  const state = createMemoryState(createMemoryStateData());
  const logger = createLogger({ level: 'silent', service: 'test' });
  const error = vi.spyOn(logger, 'error');
  let now = NOON;
  const watch = () => createKeyWatch({ state, clock: { now: () => now }, logger });
  const [market, outdated] = [watch(), watch()];
  await market(null);
  await outdated('Invalid key');
  now += 60_000;
  await market(null);
  expect(await keyRefusal(state, now)).toBeNull();
  await outdated('Invalid key');
  expect(await keyRefusal(state, now)).toEqual({
    since: '2026-01-31T12:01:00.000Z',
    message: 'Invalid key',
  });
  expect(error).toHaveBeenCalledTimes(1);
});

it('what the provider says of the key is noted at most once a minute while it stays the same', async () => {
  const state = createMemoryState(createMemoryStateData());
  const logger = createLogger({ level: 'silent', service: 'test' });
  const [put, deleted] = [vi.spyOn(state, 'put'), vi.spyOn(state, 'delete')];
  const watch = createKeyWatch({ state, clock, logger });
  for (const answer of [null, null, 'Invalid key', 'Invalid key', null, null]) await watch(answer);
  expect([put.mock.calls.length, deleted.mock.calls.length]).toEqual([1, 2]);
});
