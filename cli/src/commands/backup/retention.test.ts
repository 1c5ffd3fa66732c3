import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BackupPart, expired, orphanedKeys } from './retention.js';

const DAY = 24 * 60 * 60 * 1_000;
const now = Date.parse('2026-02-01T00:00:00Z');

const backup = (daysAgo: number, whole = true): BackupPart => ({
  ...{
    name: `${daysAgo}`,
    part: 'market',
    id: `${daysAgo}`,
    head: null,
    logId: 'ours',
    encrypted: true,
  },
  ...{ files: 1, bytes: 1, whole, at: new Date(now - daysAgo * DAY).toISOString() },
});
const going = (backups: readonly BackupPart[], retention: Parameters<typeof expired>[1]) =>
  expired(backups, retention, now).map(({ name }) => name);

describe('retention', () => {
  const daily = [0.5, 1.5, 2.5, 3.5, 4.5].map((days) => backup(days));

  it('keeps so many of the newest', () => {
    expect(going(daily, { keep: 2 })).toEqual(['2.5', '3.5', '4.5']);
    expect(going(daily, { keep: 9 })).toEqual([]);
  });

  it('keeps those of so many days, and what either of the two keeps', () => {
    expect(going(daily, { keepDays: 3 })).toEqual(['3.5', '4.5']);
    expect(going(daily, { keep: 1, keepDays: 4 })).toEqual(['4.5']);
    expect(going(daily, { keep: 4, keepDays: 1 })).toEqual(['4.5']);
  });

  it('counts only what is whole, and lets what is not go with the whole ones of its time', () => {
    const mixed = [backup(0.5, false), backup(1.5, false), backup(2), backup(3, false), backup(4)];
    expect(going(mixed, { keep: 1 })).toEqual(['3', '4']);
    expect(going([backup(0.2), backup(0.5, false)], { keep: 1 })).toEqual([]);
    expect(going([backup(3, false), backup(9, false)], { keep: 1 })).toEqual([]);
  });

  it('counts none that is dated ahead, as by a clock that was wrong, and leaves it until its day', () => {
    expect(going([backup(-40), backup(0), backup(1)], { keep: 1 })).toEqual(['1']);
    expect(going([backup(-40), backup(-2, false), backup(0)], { keep: 1 })).toEqual([]);
    expect(going([backup(-2), backup(-1), backup(0), backup(9)], { keepDays: 3 })).toEqual(['9']);
    expect(going([backup(-2), backup(-1)], { keep: 1 })).toEqual([]);
  });

  it('finds keys without a backup among those that are older than all that stay', () => {
    const lone = (backups: readonly BackupPart[], retention: Parameters<typeof expired>[1]) =>
      orphanedKeys(
        [1, 2, 3, 4, 5].map((days) => backup(days)),
        backups,
        retention,
        now,
      ).map(({ name }) => name);
    expect(lone([backup(0.5), backup(2), backup(4)], { keep: 1 })).toEqual(['3', '5']);
    expect(lone([backup(0.5), backup(2), backup(4)], { keep: 2 })).toEqual(['3', '5']);
    expect(lone([backup(0.5), backup(2), backup(4)], { keep: 1, keepDays: 5 })).toEqual(['5']);
    expect(lone([backup(-40), backup(4)], { keep: 1 })).toEqual(['5']);
    expect(lone([backup(0.2, false)], { keep: 1 })).toEqual([]);
    expect(lone([], { keep: 1 })).toEqual([]);
  });

  it('always leaves the newest whole one', () => {
    const any = fc.record({ days: fc.nat(1_000), whole: fc.boolean() });
    const retention = fc.record({
      keep: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
      keepDays: fc.option(fc.integer({ min: 1, max: 900 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(any), retention, (given, kept) => {
        const all = given
          .map(({ days, whole }) => backup(days, whole))
          .sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
        const newest = all.find(({ whole }) => whole);
        const gone = expired(all, kept, now);
        if (newest === undefined) expect(gone).toEqual([]);
        else expect(gone).not.toContain(newest);
      }),
    );
  });
});
