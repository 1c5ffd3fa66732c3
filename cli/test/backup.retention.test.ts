import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/market.js';
import { copySampleMarket, openSampleMarket } from '../../test/support/sample-market.js';
import { oja, ojaJson } from './support/oja.js';
import { besideSmallDisk, mounts } from './support/small-disk.js';

const folder = temporaryFolder();
const dataDir = join(folder.path, 'data');
const backups = join(folder.path, 'backups');
const vault = join(folder.path, 'vault');
const days = ['2026-01-28', '2026-01-29', '2026-01-30', '2026-01-31'];

interface Held {
  readonly name: string;
  readonly erasedStillHeld: number | null;
}

interface Listed {
  readonly name: string;
  readonly whole: boolean;
}

const placesOf = (day: string) => [join(backups, day), '--keys', join(vault, day)];

/** What a manifest says, of a folder that a test has made another's. */
function rewrite(at: string, change: Readonly<Record<string, unknown>>): void {
  const file = join(at, 'oja-backup.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...change }));
}

beforeAll(async () => {
  const market = await openSampleMarket(dataDir);
  await market.stop();
  for (const day of days) {
    expect(await oja(dataDir, ['backup', ...placesOf(day)])).toMatchObject({ code: 0 });
    for (const place of [backups, vault]) rewrite(join(place, day), { at: `${day}T02:00:00.000Z` });
  }
  // Another market's, and what is nobody's.
  cpSync(join(backups, days[0] ?? ''), join(backups, 'other'), { recursive: true });
  rewrite(join(backups, 'other'), { logId: 'another market', at: '2020-01-01T00:00:00.000Z' });
  mkdirSync(join(backups, 'photos'));
  writeFileSync(join(backups, 'photos', 'log.db'), 'mine');
}, 240_000);

afterAll(() => folder.remove());

it.skipIf(!mounts)('says of a disk without room what it is about, and leaves nothing whole', () => {
  const disk = join(folder.path, 'disk');
  mkdirSync(disk);
  const market = besideSmallDisk({ disk, kilobytes: 1_024, dataDir }, ['backup', join(disk, 'x')]);
  expect(market).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^The backup takes about .* MB are free: make room first/),
  });
  const rest = join(folder.path, 'rest');
  const keys = besideSmallDisk({ disk, kilobytes: 12, dataDir }, [
    'backup',
    rest,
    '--keys',
    join(disk, 'keys'),
  ]);
  expect(keys).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^There is no room left for .*keys\.db: make some/),
  });
  expect(readdirSync(rest)).not.toContain('oja-backup.json');
});

it('lists what lies in a folder, the newest first, and says what is not whole', async () => {
  const all = await ojaJson<readonly Listed[]>(dataDir, ['backup', 'list', backups]);
  expect(all.map(({ name }) => name)).toEqual([...days.toReversed(), 'other']);
  const newest = join(backups, '2026-01-31');
  cpSync(join(newest, 'state.db'), join(folder.path, 'state.db'));
  rmSync(join(newest, 'state.db'));
  const { lines } = await oja(dataDir, ['backup', 'list', backups]);
  expect(lines[1]).toMatch(/^2026-01-31 +market +2026-01-31T02:00:00Z .*not whole$/);
  expect(lines[2]).not.toMatch(/not whole/);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  if (process.getuid?.() === 0) {
    // The root of a disk has a folder that is root's alone, which a plain user must do without.
    const locked = join(backups, 'lost+found');
    mkdirSync(locked, { mode: 0o700 });
    for (const open of [folder.path, backups]) chmodSync(open, 0o755);
    const asNobody = spawnSync(
      process.execPath,
      [join(import.meta.dirname, '../bin/oja.js'), 'backup', 'list', backups, '--json'],
      { encoding: 'utf8', uid: 65_534, env: { PATH: process.env.PATH, DATA_DIR: '/nowhere' } },
    );
    rmSync(locked, { recursive: true });
    chmodSync(backups, 0o700);
    expect(asNobody).toMatchObject({ stdout: '[]\n', stderr: '' });
  }
  // A disk that is not mounted must not pass for one with backups.
  const nothing = await oja(dataDir, ['backup', 'list', join(folder.path, 'nowhere')]);
  expect(nothing).toMatchObject({
    code: 2,
    text: expect.stringMatching(/^There is no folder .*mount/),
  });
  mkdirSync(join(folder.path, 'mountpoint'));
  const empty = await oja(dataDir, ['backup', 'list', join(folder.path, 'mountpoint')]);
  expect(empty).toMatchObject({ code: 1, text: expect.stringMatching(/^There is no backup in/) });
  const itself = await oja(dataDir, ['backup', 'list', join(backups, 'other')]);
  expect(itself).toMatchObject({
    code: 2,
    lines: [expect.stringMatching(/other is a backup itself: name the folder/)],
  });
});

it('says of how many people that are erased by now a copy of the keys still holds the key', async () => {
  const held = async () =>
    (await ojaJson<readonly Held[]>(dataDir, ['backup', 'list', vault])).map(
      ({ erasedStillHeld }) => erasedStillHeld,
    );
  expect(await held()).toEqual([0, 0, 0, 0]);
  const { lines } = await oja(dataDir, ['events', 'tail', '-n', '1000', '--json']);
  const events: readonly {
    readonly type: string;
    readonly data: { readonly transactionId: string };
  }[] = lines.map((line) => JSON.parse(line));
  const paid = new Set(
    events.filter(({ type }) => type === 'PaymentVerified').map(({ data }) => data.transactionId),
  );
  const unpaid = events.find(
    ({ type, data }) => type === 'OrderPlaced' && !paid.has(data.transactionId),
  )?.data.transactionId;
  const erased = await oja(dataDir, ['erase', '--transaction', unpaid ?? '', '--yes']);
  expect(erased).toMatchObject({ code: 0, text: expect.stringContaining('oja backup list') });
  expect(await held()).toEqual([1, 1, 1, 1]);
  const { text } = await oja(dataDir, ['backup', 'list', vault]);
  expect(text).toMatch(/^2026-01-30 +keys .* 1 erased$/m);
  expect(text).toMatch(/whose keys are still in the backup/);
  // A copy that was made since, and what cannot be asked: the market's part, another market's, a place without a market.
  const later = join(folder.path, 'later');
  expect(await oja(dataDir, ['backup', later])).toMatchObject({ code: 0 });
  const beside = await ojaJson<readonly Held[]>(dataDir, ['backup', 'list', folder.path]);
  expect(beside.map(({ name, erasedStillHeld }) => [name, erasedStillHeld])).toEqual(
    expect.arrayContaining([
      ['later', null],
      ['later-keys', 0],
    ]),
  );
  const elsewhere = await ojaJson<readonly Held[]>(join(folder.path, 'none'), [
    ...['backup', 'list', vault],
  ]);
  expect(elsewhere.map(({ erasedStillHeld }) => erasedStillHeld)).toEqual([null, null, null, null]);
}, 120_000);

it('deletes what is not kept with its keys, and neither the newest whole one nor what is not ours', async () => {
  const prune = ['backup', 'prune', backups, '--keys', vault];
  expect(await oja(dataDir, prune)).toMatchObject({
    code: 2,
    text: expect.stringMatching(/--keep <n>/),
  });
  expect(await oja(dataDir, [...prune, '--keep', '0'])).toMatchObject({ code: 2 });
  const unsure = await oja(dataDir, [...prune, '--keep', '1']);
  expect(unsure).toMatchObject({ code: 2, text: expect.stringMatching(/nothing was changed/) });
  const dry = await ojaJson<object>(dataDir, [...prune, '--keep', '1', '--dry-run']);
  const gone = ['2026-01-28', '2026-01-29'];
  const removed = gone.map((name) => ({
    name,
    at: `${name}T02:00:00.000Z`,
    bytes: expect.any(Number),
    withKeys: true,
  }));
  expect(dry).toEqual({ removed, removedKeys: [], dryRun: true });
  expect(readdirSync(vault).sort()).toEqual(days);
  const done = await ojaJson<object>(dataDir, [...prune, '--keep', '1', '--yes']);
  expect(done).toEqual({ removed, removedKeys: [], dryRun: false });
  // The newest is not whole: the one before it is what would be restored.
  expect(readdirSync(backups).sort()).toEqual(['2026-01-30', '2026-01-31', 'other', 'photos']);
  expect(readdirSync(vault).sort()).toEqual(['2026-01-30', '2026-01-31']);
  expect(readFileSync(join(backups, 'photos', 'log.db'), 'utf8')).toBe('mine');
});

it('goes on where it was killed, and leaves in a backup what is somebody else’s', async () => {
  cpSync(join(folder.path, 'state.db'), join(backups, '2026-01-31', 'state.db'));
  // As a kill leaves it: its keys are gone, and the first of its files.
  rmSync(join(vault, '2026-01-30'), { recursive: true });
  rmSync(join(backups, '2026-01-30', 'documents.db'));
  writeFileSync(join(backups, '2026-01-30', 'notes.txt'), 'mine');
  const made = await ojaJson<{ removed: readonly Listed[] }>(dataDir, [
    ...['backup', ...placesOf('2026-02-01')],
    ...['--keep', '2', '--json'],
  ]);
  expect(made.removed.map(({ name }) => name)).toEqual(['2026-01-30']);
  expect(readdirSync(join(backups, '2026-01-30'))).toEqual(['notes.txt']);
  expect(existsSync(join(backups, '2026-02-01', 'oja-backup.json'))).toBe(true);
  expect(readdirSync(vault).sort()).toEqual(['2026-01-31', '2026-02-01']);
});

it('never deletes the new backup for the sake of one that a wrong clock has dated ahead', async () => {
  const ahead = '2999-01-01T02:00:00.000Z';
  for (const place of [backups, vault]) rewrite(join(place, '2026-02-01'), { at: ahead });
  const made = await oja(dataDir, ['backup', ...placesOf('2026-02-02'), '--keep', '1']);
  expect(made).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^2026-02-01 is dated ahead \(2999-01-01T02:00:00Z\)/m),
  });
  for (const place of [backups, vault])
    expect(readdirSync(join(place, '2026-02-02'))).toContain('oja-backup.json');
});

describe('where the keys of older backups lie in another place than the one that is named', () => {
  const here = join(folder.path, 'here');
  const safe = join(folder.path, 'safe');
  const own = ['2026-01-10', '2026-01-11', '2026-01-12'];
  const pruned = (...args: readonly string[]) =>
    oja(dataDir, ['backup', 'prune', here, '--keep', '1', ...args]);

  /** A copy of a whole backup's part under another name, time and id. */
  function copied(
    from: string,
    to: string,
    day: string,
    change: Readonly<Record<string, unknown>>,
  ) {
    cpSync(join(from, '2026-02-02'), join(to, day), { recursive: true });
    rewrite(join(to, day), { at: `${day}T02:00:00.000Z`, ...change });
  }

  beforeAll(() => {
    for (const day of own) {
      const id = randomUUID();
      copied(backups, here, day, { id });
      copied(vault, safe, day, { id });
    }
    copied(vault, safe, '2026-01-13', { id: randomUUID() });
    copied(vault, safe, '2020-01-01', { id: randomUUID(), logId: 'another market' });
  });

  it('does not say that they are deleted', async () => {
    expect((await pruned('--dry-run')).text).toMatch(
      /^Would delete 2026-01-10 of .*, .* MB; its keys are not in .*here\.$/m,
    );
    const { text } = await pruned('--yes');
    expect(text).toMatch(/^Deleted 2026-01-11 of .*; its keys are not in .*here\.$/m);
    expect(text).not.toMatch(/with (its|their) keys/);
    expect(readdirSync(safe)).toEqual(expect.arrayContaining(own));
  });

  it('tells of keys without a backup, and deletes them when it is told to', async () => {
    const told = await pruned('--keys', safe, '--yes');
    expect(told.text).toMatch(/safe holds the keys of 2 backups that are not in .*--lone-keys/);
    expect(readdirSync(safe)).toEqual(expect.arrayContaining(own));
    const unsure = await pruned('--keys', safe, '--lone-keys');
    expect(unsure).toMatchObject({ code: 2, text: expect.stringMatching(/the keys of 2 backups/) });
    const dry = await pruned('--keys', safe, '--lone-keys', '--dry-run', '--json');
    const [first, second, newest = ''] = own;
    expect(JSON.parse(dry.text)).toMatchObject({
      removed: [],
      removedKeys: [{ name: first }, { name: second }],
    });
    expect((await pruned('--keys', safe, '--lone-keys', '--yes')).text).toMatch(
      /^Deleted the keys 2026-01-10 of .*\.$/m,
    );
    // Of the backup that stays, of a newer one that may lie elsewhere or be under way, and of another market.
    expect(readdirSync(safe).sort()).toEqual(['2020-01-01', newest, '2026-01-13']);
    expect((await pruned('--keys', safe, '--lone-keys', '--yes')).text).toMatch(/^No backup/);
  });
});

it('says it also of a copy that is newer than the backup which was restored since', async () => {
  const place = join(folder.path, 'gone-back');
  const market = copySampleMarket(join(place, 'data'));
  const run = async (...args: string[]) =>
    expect(await oja(market, args)).toMatchObject({ code: 0 });
  await run('backup', join(place, 'older'));
  await run('admin', 'grant', 'Adunni Textiles');
  await run('backup', join(place, 'newer'));
  const { lines } = await oja(market, ['events', 'tail', '-n', '1000', '--json']);
  const events = lines.map((line) => JSON.parse(line));
  const { transactionId } = events.find(({ type }) => type === 'OrderExpired').data;
  await run('erase', '--transaction', transactionId, '--yes');
  await run('restore', join(place, 'older'), '--yes');
  const held = (await ojaJson<readonly Held[]>(market, ['backup', 'list', place])).filter(
    ({ erasedStillHeld }) => erasedStillHeld !== null,
  );
  expect(held.map(({ name, erasedStillHeld }) => [name, erasedStillHeld])).toEqual([
    ['newer-keys', 1],
    ['older-keys', 1],
  ]);
}, 120_000);
