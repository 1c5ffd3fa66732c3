import { createCommandService, nameId, runSweep } from '@oja/command-service';
import { businessName, businessNameKey, UNUSED_CLAIM_MS } from '@oja/domain';
import { createMemoryJobs, createMemoryJobsData, startTracing, tracedEngines } from '@oja/platform';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openCollector } from '../../test/support/collector.js';
import { aKey, type Market, openMarket, person } from './support/market.js';

let market: Market;
beforeAll(async () => {
  market = await openMarket();
});
afterAll(() => market.close());

it('what fell due while nothing ran is done once it is known, not a minute later', async () => {
  const nameKey = businessNameKey('Claimed Only');
  market.faults.next = { type: 'SellerRegistered', when: 'before' };
  const body = { ...person, businessName: 'Claimed Only', password: 'long enough' };
  await market.call('POST', '/v1/register', { key: aKey(), body });
  const stateOf = async () => (await market.deps.load(businessName, nameId(nameKey))).state;
  const claim = await stateOf();
  if (claim.status !== 'held') throw new Error('the name was not claimed');
  market.clock.time += UNUSED_CLAIM_MS;

  // The first sweep finds the `obligations` read model still empty.
  const { documents, eventStore } = market.deps;
  const find = vi.spyOn(documents, 'find');
  market.service.start();
  await vi.waitUntil(() => find.mock.calls.length > 0, 60_000);
  await Promise.all(find.mock.results.map(({ value }) => value));
  await market.models.put('obligations', 'due', 'release', {
    kind: 'release-name',
    subject: nameKey,
    sellerId: claim.sellerId,
    due: new Date(0).toISOString(),
    position: '',
    amount: null,
    item: null,
    providerId: null,
    keySubject: null,
  });
  await market.models.moveOn('obligations', await eventStore.head());
  await vi.waitFor(async () => expect((await stateOf()).status).toBe('free'), { timeout: 20_000 });
});

it('what has expired leaves the disk: answers that were kept, sessions, rate windows', async () => {
  const { state, clock } = market.deps;
  const before = clock.now();
  const expiresAt = before + 1_000;
  // More than one batch, as if no sweep had run for a year.
  const old = Array.from({ length: 2_500 }, (_, n) => `old-${n}`);
  await Promise.all(old.map((key) => state.put('swept', key, {}, before, { expiresAt })));
  await state.put('swept', 'kept', {}, before);
  market.clock.time += 2_000;
  await market.service.close();
  const again = createCommandService(market.deps);
  again.start();
  try {
    // Listed as of a time before they expired, so that entries still on disk are seen.
    const left = () => state.list('swept', '', before, { limit: old.length + 1 });
    await vi.waitFor(async () => expect(await left()).toHaveLength(1), { timeout: 20_000 });
    expect(await state.get('swept', 'kept', before)).not.toBeNull();
  } finally {
    await again.close();
  }
});

describe('the list of those to forget', () => {
  const subjectOf = (n: number) => `contact:forgotten-${n}`;
  const owe = (n: number) =>
    market.models.put('obligations', 'due', `destroy-key/${subjectOf(n)}`, {
      kind: 'destroy-key',
      subject: subjectOf(n),
      keySubject: subjectOf(n),
      due: new Date(0).toISOString(),
      position: `${n}`.padStart(20, '0'),
      sellerId: null,
      amount: null,
      item: null,
      providerId: null,
    });
  const asked = () => vi.spyOn(market.deps.keys, 'isDestroyed').mockClear();

  it('is not gone through again and again: who was forgotten is not asked for', async () => {
    for (let n = 1; n <= 300; n += 1) await owe(n);
    await runSweep(market.deps);
    expect(await market.deps.keys.isDestroyed(subjectOf(300))).toBe(true);
    const isDestroyed = asked();
    await runSweep(market.deps);
    expect(isDestroyed).not.toHaveBeenCalled();
    await owe(301);
    await runSweep(market.deps);
    isDestroyed.mockRestore();
    expect(await market.deps.keys.isDestroyed(subjectOf(301))).toBe(true);
  });

  it('keeps whom it could not forget, and nobody behind them waits', async () => {
    const { keys } = market.deps;
    const destroy = keys.destroy;
    const lingering = vi.spyOn(keys, 'destroy').mockImplementation(async (subject) => {
      if (subject === subjectOf(302)) throw new Error('a reader keeps it');
      return destroy(subject);
    });
    await owe(302);
    await owe(303);
    await runSweep(market.deps);
    expect(await keys.isDestroyed(subjectOf(303))).toBe(true);
    lingering.mockRestore();
    await runSweep(market.deps);
    expect(await keys.isDestroyed(subjectOf(302))).toBe(true);
  });

  it('retries everybody whom it could not forget, however many keep failing', async () => {
    const { keys, state, clock } = market.deps;
    // As many as one reading of State returns, and one behind them.
    const stuck = Array.from({ length: 1_000 }, (_, n) => `contact:a-stuck-${n}`);
    const last = 'contact:last';
    const later = (subject: string) => state.put('forgotten-later', subject, {}, clock.now());
    await Promise.all([...stuck, last].map(later));
    const destroy = keys.destroy;
    const lingering = vi.spyOn(keys, 'destroy').mockImplementation(async (subject) => {
      if (stuck.includes(subject)) throw new Error('a reader keeps it');
      return destroy(subject);
    });
    await runSweep(market.deps);
    lingering.mockRestore();
    expect(await keys.isDestroyed(last)).toBe(true);
    await Promise.all(stuck.map((subject) => state.delete('forgotten-later', subject)));
  });

  it('is gone through whole by a market that starts: a backup may have brought a key back', async () => {
    // As if keys were restored by hand, while the market remembers that it destroyed this one.
    const isDestroyed = vi.spyOn(market.deps.keys, 'isDestroyed').mockResolvedValue(false);
    const destroy = vi.spyOn(market.deps.keys, 'destroy');
    const again = createCommandService(market.deps);
    again.start();
    try {
      await vi.waitFor(() => expect(destroy).toHaveBeenCalledWith(subjectOf(1)), {
        timeout: 20_000,
      });
    } finally {
      await again.close();
      isDestroyed.mockRestore();
      destroy.mockRestore();
    }
  });

  it('begins a trace for each who was forgotten, and none where nothing was to be done', async () => {
    const { deps } = market;
    await runSweep(deps);
    const collector = await openCollector();
    for (const [name, text] of Object.entries(collector.env)) vi.stubEnv(name, text);
    const logger = deps.logger;
    const end = await startTracing({ protocol: 'http/json', service: 'x', version: '1', logger });
    const jobs = createMemoryJobs({ data: createMemoryJobsData() });
    const traced = tracedEngines({ ...deps, jobs });
    try {
      await runSweep(traced);
      await owe(304);
      await runSweep(traced);
      await runSweep(traced);
      await end();
      const sweeps = collector.spans.filter(({ name }) => name === 'sweep destroy-key');
      expect(sweeps).toHaveLength(1);
      const [destroyed] = collector.spans.filter(({ name }) => name === 'keys destroy');
      expect(destroyed && collector.pathTo(destroyed)).toEqual([
        'sweep destroy-key',
        'keys destroy',
      ]);
    } finally {
      vi.unstubAllEnvs();
      await Promise.all([end(), jobs.close(), collector.close()]);
    }
  });
});
