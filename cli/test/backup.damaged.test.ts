import { createHash } from 'node:crypto';
import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { files, truncateWal } from '@oja/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMarket, temporaryFolder } from '../../test/support/market.js';
import { copySampleMarket } from '../../test/support/sample-market.js';
import type { Answer } from '../src/answers/index.js';
import { oja, ojaJson } from './support/oja.js';

const folder = temporaryFolder();
const dataDir = join(folder.path, 'data');
const backups = join(folder.path, 'backups');
const good = join(backups, 'good');

beforeAll(async () => {
  copySampleMarket(dataDir);
  expect(await oja(dataDir, ['backup', good])).toMatchObject({ code: 0 });
}, 60_000);

afterAll(() => folder.remove());

const PAGE = 4_096;
/** What a disk loses at least, in bytes. */
const SECTOR = 512;

function erase(path: string, places: readonly number[], bytes = SECTOR): void {
  const file = openSync(path, 'r+');
  for (const at of places) writeSync(file, Buffer.alloc(bytes), 0, bytes, at);
  closeSync(file);
}

/** Loses the last sector of each page of the second half, which SQLite copies without a word. */
function loseSectors(path: string): void {
  const pages = Math.floor(statSync(path).size / PAGE);
  const half = Math.floor(pages / 2);
  const ends = Array.from({ length: pages - half }, (_, i) => (half + i + 1) * PAGE);
  erase(
    path,
    ends.map((end) => end - SECTOR),
  );
}

/** Loses a piece of the first event's text: to SQLite, the file is as good as before. */
function loseText(path: string): void {
  const bytes = readFileSync(path);
  erase(path, [bytes.indexOf('"description":"') + 20], 10);
}

const LASTING = [files.log, files.state, files.keys];
const MADE_AGAIN = [files.documents, files.jobs];

const damages: readonly (readonly [string, string, (path: string) => void])[] = [
  ...[...LASTING, files.documents].map((name) => [name, 'sectors', loseSectors] as const),
  [files.log, 'a text', loseText],
];

/** Everything that is in a folder, but for what SQLite makes beside a file. */
const namesIn = (path: string) =>
  readdirSync(path)
    .filter((name) => !/-(wal|shm)$/.test(name))
    .sort();

it.each(damages)(
  'is not made of a market whose %s has lost %s, and says so, and deletes no older one',
  async (name, _, lose) => {
    const market = copySampleMarket(join(folder.path, 'market'));
    lose(join(market, name));
    const before = namesIn(backups);
    const [into, keys] = [join(backups, 'bad'), join(folder.path, 'vault', 'bad')];
    const args = ['backup', into, '--keys', keys, '--keep', '1'];
    const refused = await oja(market, args);
    expect(refused.code, refused.text).toBe(1);
    expect(refused.text).toMatch(
      new RegExp(
        `^No backup was made, because ${market}/${name} is damaged \\(.+\\)\\. Stop the market, .+: docs/operations\\.md says more under 'A file is damaged'\\.$`,
      ),
    );
    expect(namesIn(backups)).toEqual(before);
    expect(existsSync(keys)).toBe(false);
    const told = JSON.parse((await oja(market, [...args, '--json'])).text);
    expect(told).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining(`${name} is damaged`),
    });
    rmSync(market, { recursive: true });
  },
  60_000,
);

it('is not made of a market that runs with damaged keys, nor does a drill say that it could be restored', async () => {
  const home = copySampleMarket(join(folder.path, 'running'));
  const market = await openMarket(home);
  try {
    const path = join(home, files.keys);
    expect(await truncateWal(path)).toBe(true);
    const sound = readFileSync(path);
    loseSectors(path);
    const into = join(folder.path, 'of-running');
    const refused = await oja(home, ['backup', into]);
    expect(refused).toMatchObject({ code: 1, text: expect.stringMatching(/keys\.db is damaged/) });
    for (const place of [into, `${into}-keys`]) expect(existsSync(place)).toBe(false);
    const drilled = await oja(home, ['drill', '--in', folder.path, '--json']);
    expect(drilled.code).toBe(1);
    expect(JSON.parse(drilled.text)).toMatchObject({
      ok: false,
      steps: [{ step: 'backup', ok: false, told: expect.stringMatching(/keys\.db is damaged/) }],
    });
    writeFileSync(path, sound);
    expect(await oja(home, ['backup', into])).toMatchObject({ code: 0 });
  } finally {
    await market.stop();
  }
}, 60_000);

/** A backup with a database that was damaged when it was copied, as earlier releases made them. */
function copiedDamaged(name: string, lose: (path: string) => void): string {
  const place = join(folder.path, 'copied');
  for (const part of ['', '-keys'])
    cpSync(`${good}${part}`, `${place}${part}`, { recursive: true, force: true });
  const part = name === files.keys ? `${place}-keys` : place;
  lose(join(part, name));
  const path = join(part, 'oja-backup.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const sha256 = createHash('sha256')
    .update(readFileSync(join(part, name)))
    .digest('hex');
  manifest.files = manifest.files.map((file: { name: string }) =>
    file.name === name ? { ...file, sha256 } : file,
  );
  writeFileSync(path, JSON.stringify(manifest));
  return place;
}

it.each(damages.filter(([name]) => LASTING.some((lasting) => lasting === name)))(
  'with a %s that had lost %s before it was copied is neither restored nor drilled',
  async (name, _, lose) => {
    const place = copiedDamaged(name, lose);
    const there = namesIn(place);
    const to = join(folder.path, 'to');
    const refused = await oja(to, ['restore', place, '--yes']);
    expect(refused.code, refused.text).toBe(2);
    expect(refused.text).toMatch(
      new RegExp(`${name} is damaged \\(.+\\), .*: take an older backup; nothing was changed\\.$`),
    );
    expect(existsSync(to)).toBe(false);
    expect(readdirSync(place).sort()).toEqual(there);
    const drilled = await oja(dataDir, ['drill', '--from', place, '--in', folder.path]);
    expect(drilled.code, drilled.text).toBe(1);
    expect(drilled.text).toContain(`${name} is damaged`);
  },
  60_000,
);

it.each(MADE_AGAIN)(
  'with a %s that was damaged is restored without it, and a drill fails for it',
  async (name) => {
    const place = copiedDamaged(name, (path) => erase(path, [PAGE], statSync(path).size - PAGE));
    const to = join(folder.path, `without-${name}`);
    const restored = await ojaJson<Answer<'restore'>>(to, ['restore', place]);
    expect(restored).toMatchObject({
      damaged: [name],
      modelsLeftOut: name === files.documents,
    });
    const market = await openMarket(to);
    const search = await fetch(`${market.url}/v1/products/search?limit=1`);
    expect(await search.json()).toMatchObject({ total: 240 });
    expect(await market.stop()).toBe(0);
    const drilled = await oja(dataDir, ['drill', '--from', place, '--in', folder.path]);
    expect(drilled).toMatchObject({
      code: 1,
      text: expect.stringMatching(new RegExp(`restore .* whose ${name} is damaged`)),
    });
  },
  60_000,
);
