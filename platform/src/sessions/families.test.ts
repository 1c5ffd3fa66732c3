import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryState, createMemoryStateData } from '../memory/state.js';
import { createSessions, type StartedSession } from './families.js';

const NOW = 1_800_000_000_000;
const DAY_MS = 86_400_000;
// What people are told, not what the code says.
const SESSION_IDLE_MS = 30 * DAY_MS;
const SESSION_MAX_AGE_MS = 90 * DAY_MS;
const LOST_ANSWER_MS = 60_000;
const fresh = () =>
  createSessions(createMemoryState(createMemoryStateData()), 'a secret of thirty-two characters');

describe('refresh tokens', () => {
  it('rotate: each use answers another token of the same session', async () => {
    const sessions = fresh();
    const first = await sessions.start('ada', NOW);
    const second = await sessions.refresh(first.refreshToken, NOW);
    expect(second?.session).toBe(first.session);
    expect(second?.refreshToken).not.toBe(first.refreshToken);
  });

  it('survive a lost answer: the old token is answered with the same successor', async () => {
    const sessions = fresh();
    const first = await sessions.start('ada', NOW);
    const lost = await sessions.refresh(first.refreshToken, NOW);
    const again = await sessions.refresh(first.refreshToken, NOW);
    expect(again).toEqual(lost);
  });

  it('end the family when the one before the last is used after the time in which answers are lost', async () => {
    const sessions = fresh();
    const first = await sessions.start('ada', NOW);
    const thief = await sessions.refresh(first.refreshToken, NOW);
    const lost = await sessions.refresh(first.refreshToken, NOW + LOST_ANSWER_MS - 1);
    expect(lost).toEqual(thief);
    const late = NOW + LOST_ANSWER_MS;
    expect(await sessions.refresh(first.refreshToken, late)).toBeNull();
    expect(await sessions.refresh(thief?.refreshToken ?? '', late)).toBeNull();
    expect(await sessions.isOpen('ada', first.session, late)).toBe(false);
  });

  it('count no answer as lost for longer because the clock was set back', async () => {
    for (const [before, isGood] of [
      [4_000, true],
      [600_000, false],
    ] as const) {
      const sessions = fresh();
      const first = await sessions.start('ada', NOW);
      await sessions.refresh(first.refreshToken, NOW + 3_600_000);
      const again = await sessions.refresh(first.refreshToken, NOW + 3_600_000 - before);
      expect(again !== null, `${before} ms before`).toBe(isGood);
    }
  });

  it('of a thief and of the owner do not both go on, whoever is first', async () => {
    for (const ownerWaits of [1, 5, 7, 11]) {
      const sessions = fresh();
      const stolen = await sessions.start('ada', NOW);
      const held: Record<'owner' | 'thief', StartedSession | null> = {
        owner: stolen,
        thief: stolen,
      };
      const go = async (who: 'owner' | 'thief', at: number) => {
        held[who] = held[who] && (await sessions.refresh(held[who].refreshToken, at));
      };
      for (let minute = 0; minute < 60; minute += 1) {
        if (minute % ownerWaits === 0) await go('owner', NOW + minute * 60_000);
        if (minute % 5 === 2) await go('thief', NOW + minute * 60_000);
      }
      expect(held).toEqual({ owner: null, thief: null });
    }
  });

  it('survive two tabs that refresh at once', async () => {
    const sessions = fresh();
    const first = await sessions.start('ada', NOW);
    const [one, two] = await Promise.all([
      sessions.refresh(first.refreshToken, NOW),
      sessions.refresh(first.refreshToken, NOW),
    ]);
    expect(one).not.toBeNull();
    expect(two).toEqual(one);
  });

  it('end the family when one older than the last is used again', async () => {
    const sessions = fresh();
    const first = await sessions.start('ada', NOW);
    const second = await sessions.refresh(first.refreshToken, NOW);
    const third = await sessions.refresh(second?.refreshToken ?? '', NOW);
    expect(await sessions.refresh(first.refreshToken, NOW)).toBeNull();
    expect(await sessions.refresh(third?.refreshToken ?? '', NOW)).toBeNull();
    expect(await sessions.isOpen('ada', first.session, NOW)).toBe(false);
  });

  it('end all together, however many they are', async () => {
    const state = createMemoryState(createMemoryStateData());
    const sessions = createSessions(state, 'a secret of thirty-two characters');
    const first = await sessions.start('ada', NOW);
    const [family] = await state.list('session', 'ada/', NOW);
    for (let i = 0; i < 1_500; i += 1)
      await state.put('session', `ada/another-${i}`, family?.value ?? {}, NOW);
    await sessions.start('adaeze', NOW);
    expect(await sessions.endAll('ada', NOW)).toBe(1_501);
    expect(await sessions.refresh(first.refreshToken, NOW)).toBeNull();
    expect(await state.list('session', 'ada', NOW)).toHaveLength(1);
  });

  it('that were made up change nothing', async () => {
    const sessions = fresh();
    const real = await sessions.start('ada', NOW);
    await fc.assert(
      fc.asyncProperty(fc.string(), async (mac) => {
        expect(await sessions.refresh(`ada.${real.session}.${mac}`, NOW)).toBeNull();
        expect(await sessions.refresh(mac, NOW)).toBeNull();
      }),
    );
    expect(await sessions.isOpen('ada', real.session, NOW)).toBe(true);
  });

  const asBefore = (token: string) => token.replace(/[^\w-]+$/, '');

  /** A session at this generation, with its first token in the current format and in that of earlier versions. */
  async function aged(generation: number) {
    const state = createMemoryState(createMemoryStateData());
    const sessions = createSessions(state, 'a secret of thirty-two characters');
    const { session, refreshToken } = await sessions.start('ada', NOW);
    const [family] = await state.list('session', 'ada/', NOW);
    if (family === undefined) throw new Error('no session was kept');
    await state.put('session', family.key, { ...family.value, generation }, NOW);
    return { state, sessions, session, first: refreshToken, firstOfOld: asBefore(refreshToken) };
  }

  it('cost the same to check however often the session was refreshed', async () => {
    const { sessions, session } = await aged(1_000_000);
    const mac = 'A'.repeat(43);
    const before = process.cpuUsage();
    for (let i = 0; i < 100; i += 1) {
      expect(
        await sessions.refresh(`ada.${session}.${mac}${'~'.repeat(1 + (i % 8))}`, NOW),
      ).toBeNull();
      expect(await sessions.refresh(`ada.${session}.${mac}`, NOW)).toBeNull();
      await sessions.endByToken(`ada.${session}.${mac}`);
    }
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
    expect(await sessions.isOpen('ada', session, NOW)).toBe(true);
  });

  it('of an earlier version, which do not say their generation, are still good', async () => {
    const { sessions, session, firstOfOld } = await aged(0);
    const next = await sessions.refresh(firstOfOld, NOW);
    expect(next?.session).toBe(session);
    expect(await sessions.refresh(firstOfOld, NOW)).toEqual(next);
    expect((await sessions.refresh(next?.refreshToken ?? '', NOW))?.session).toBe(session);
  });

  it('of an earlier version end the family too when they are used again', async () => {
    const { sessions, session, firstOfOld } = await aged(5);
    expect(await sessions.refresh(firstOfOld, NOW)).toBeNull();
    expect(await sessions.isOpen('ada', session, NOW)).toBe(false);
  });

  it('cannot say another generation than their own', async () => {
    const { sessions, session, first, firstOfOld } = await aged(1);
    expect(first).toBe(`${firstOfOld}!`);
    for (const said of ['*', '~', '*!', '!.', '!A', '0', '.0', ' !', '!'.repeat(26)])
      expect(await sessions.refresh(`${firstOfOld}${said}`, NOW)).toBeNull();
    expect(await sessions.isOpen('ada', session, NOW)).toBe(true);
  });

  it('are three parts of which the last is read as base64, as release 0.1.0 does', async () => {
    const { sessions, first, firstOfOld } = await aged(0);
    let held = first;
    for (let refreshes = 1; refreshes < 300; refreshes += 1) {
      const next = await sessions.refresh(held, NOW);
      if (next === null) throw new Error('logged out');
      held = next.refreshToken;
      const [, , mac = '', ...rest] = held.split('.');
      expect(rest).toEqual([]);
      const [, , own = ''] = asBefore(held).split('.');
      expect(Buffer.from(mac, 'base64url')).toEqual(Buffer.from(own, 'base64url'));
      expect(Buffer.from(mac, 'base64url')).toHaveLength(32);
    }
    // And a token in the format of 0.1.0, which has no generation.
    expect(await sessions.refresh(asBefore(held), NOW)).not.toBeNull();
    expect(await sessions.refresh(firstOfOld, NOW + LOST_ANSWER_MS)).toBeNull();
  });

  it('are good for a month of silence and no longer', async () => {
    const sessions = fresh();
    const [silent, back] = [await sessions.start('ada', NOW), await sessions.start('ada', NOW)];
    const over = NOW + SESSION_IDLE_MS;
    expect(await sessions.refresh(back.refreshToken, over - 1)).not.toBeNull();
    expect(await sessions.refresh(silent.refreshToken, over)).toBeNull();
  });

  it('are good for a stated age and no longer, however often they are used', async () => {
    const sessions = fresh();
    const started = await sessions.start('ada', NOW);
    let held: StartedSession | null = started;
    const week = 7 * 24 * 3_600_000;
    let at = NOW;
    for (; at + week < NOW + SESSION_MAX_AGE_MS; at += week)
      held = held && (await sessions.refresh(held.refreshToken, at));
    expect(await sessions.isOpen('ada', started.session, at)).toBe(true);
    const over = NOW + SESSION_MAX_AGE_MS;
    expect(await sessions.isOpen('ada', started.session, over - 1)).toBe(true);
    expect(await sessions.isOpen('ada', started.session, over)).toBe(false);
    expect(held && (await sessions.refresh(held.refreshToken, over))).toBeNull();
  });

  it('of a session that was begun before there was a greatest age end at it too, and it is told', async () => {
    const state = createMemoryState(createMemoryStateData());
    const sessions = createSessions(state, 'a secret of thirty-two characters');
    const { refreshToken, session } = await sessions.start('ada', NOW);
    const over = NOW + SESSION_MAX_AGE_MS;
    const key = `ada/${session}`;
    const family = await state.get<{ readonly seed: string }>('session', key, NOW);
    if (family === null) throw new Error('no family');
    await state.put('session', key, family.value, NOW, { expiresAt: over + SESSION_IDLE_MS });
    const told: string[] = [];
    const tell = (subject: string, why: string) => told.push(`${subject} ${why}`);
    expect(await sessions.refresh(refreshToken, over, tell)).toBeNull();
    expect(told).toEqual(['ada greatest-age']);
    expect(await sessions.isOpen('ada', session, over)).toBe(false);
  });

  it('of one session, or of all, end at once', async () => {
    const sessions = fresh();
    const one = await sessions.start('ada', NOW);
    const two = await sessions.start('ada', NOW);
    const bisi = await sessions.start('bisi', NOW);
    await sessions.endByToken(one.refreshToken);
    expect(await sessions.isOpen('ada', one.session, NOW)).toBe(false);
    expect(await sessions.isOpen('ada', two.session, NOW)).toBe(true);
    expect(await sessions.endAll('ada', NOW)).toBe(1);
    expect(await sessions.refresh(two.refreshToken, NOW)).toBeNull();
    expect(await sessions.isOpen('bisi', bisi.session, NOW)).toBe(true);
  });
});

describe('a token secret that is rotated', () => {
  const [old, next] = ['the old secret of enough letters!', 'the new secret of enough letters!'];

  it('logs nobody out, in a deploy of which some have the new one first and some the old one', async () => {
    const state = createMemoryState(createMemoryStateData());
    const deploys = {
      before: createSessions(state, old),
      knowing: createSessions(state, old, next),
      swapped: createSessions(state, next, old),
      after: createSessions(state, next),
    };
    for (const way of [
      ['before', 'knowing', 'swapped', 'after'],
      ['before', 'knowing', 'swapped', 'knowing', 'swapped', 'knowing', 'before'],
    ] as const) {
      let held = await deploys.before.start('ada', NOW);
      for (const name of way) {
        const next = await deploys[name].refresh(held.refreshToken, NOW);
        if (next === null) throw new Error(`logged out: ${name}`);
        expect(await deploys[name].refresh(held.refreshToken, NOW)).toEqual(next);
        held = next;
      }
      expect(await deploys.swapped.endByToken(held.refreshToken)).toBe('ada');
    }
  });

  it('is of no use any more once it is taken away', async () => {
    const state = createMemoryState(createMemoryStateData());
    const { refreshToken, session } = await createSessions(state, old).start('ada', NOW);
    expect(await createSessions(state, next).refresh(refreshToken, NOW)).toBeNull();
    expect(await createSessions(state, next).isOpen('ada', session, NOW)).toBe(true);
  });
});
