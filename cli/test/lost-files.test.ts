import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { createEmbeddedEventStore, truncateWal } from '@oja/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort, openMarket, runOja, temporaryFolder } from '../../test/support/market.js';

const { path: dataDir, remove } = temporaryFolder();
const { path: aside, remove: removeAside } = temporaryFolder();
afterAll(() => {
  remove();
  removeAside();
});

const ALL_GOODS = 240;
const marker = join(dataDir, 'oja-data.json');

beforeAll(async () => {
  const market = await openMarket(dataDir);
  expect(await market.stop()).toBe(0);
});

/** The database with what SQLite keeps beside it. */
function take(name: string, from: string, to: string): void {
  for (const file of readdirSync(from))
    if (file === name || file.startsWith(`${name}-`)) renameSync(join(from, file), join(to, file));
}

/** What lies in the folder, but for what SQLite makes and removes beside a file as it is opened and closed. */
function databases(): readonly string[] {
  return readdirSync(dataDir)
    .filter((file) => !/-(wal|shm)$/.test(file))
    .sort();
}

/** What a command says that exits with 78. */
async function refused(command: string): Promise<string> {
  const running = runOja([command], { PORT: `${await freePort()}`, DATA_DIR: dataDir });
  expect(await running.exited).toBe(78);
  return running.lines.join('\n');
}

it.each(['log.db', 'state.db', 'keys.db'])(
  'a folder that has lost its %s is not taken for a new one',
  async (name) => {
    take(name, dataDir, aside);
    const there = databases();
    for (const command of ['start', 'status'])
      expect(await refused(command)).toMatch(
        new RegExp(`${name} is missing from .*: without it .* oja restore`),
      );
    expect(databases()).toEqual(there);
    take(name, aside, dataDir);
  },
);

it('another market’s log is not taken for its own', async () => {
  take('log.db', dataDir, aside);
  const other = await createEmbeddedEventStore({ file: join(dataDir, 'log.db') });
  await other.close();
  expect(await refused('start')).toMatch(/is not the one that this market's accounts .* belong to/);
  expect(await refused('status')).toMatch(/is not the one/);
  for (const side of ['', '-wal', '-shm']) rmSync(join(dataDir, `log.db${side}`), { force: true });
  take('log.db', aside, dataDir);
});

it.each([
  ['of a later form', '{"kind":"oja data folder","format":99}', /is of format 99/],
  ['cut short', '{"kind":"oja da', /oja-data\.json cannot be read: put it back/],
  ['of something else', '{"kind":"novel"}', /oja-data\.json cannot be read/],
  ['gone', null, /holds log\.db but no oja-data\.json: put that back/],
])('a folder whose marker is %s is left as it is', async (_, text, sentence) => {
  const before = readFileSync(marker, 'utf8');
  if (text === null) rmSync(marker);
  else writeFileSync(marker, text);
  expect(await refused('start')).toMatch(sentence);
  writeFileSync(marker, before);
});

it('what can be made again is made again', async () => {
  for (const name of ['documents.db', 'jobs.db']) take(name, dataDir, aside);
  const market = await openMarket(dataDir);
  const search = await fetch(`${market.url}/v1/products/search?limit=1`);
  expect(await search.json()).toMatchObject({ total: ALL_GOODS });
  expect(await market.stop()).toBe(0);
});

const damages: Readonly<Record<string, (path: string) => void>> = {
  overwritten(path) {
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(8_192, 'A'), 0, 8_192, 0);
    closeSync(file);
  },
  'damaged in the middle'(path) {
    const { size } = statSync(path);
    const file = openSync(path, 'r+');
    const rest = size - Math.floor(size / 10);
    writeSync(file, Buffer.alloc(rest, 0xff), 0, rest, size - rest);
    closeSync(file);
  },
  'cut short': (path) => truncateSync(path, Math.floor(statSync(path).size / 2) + 100),
};

/** What is made again from the log, or by itself. */
const MADE_AGAIN = ['documents.db', 'jobs.db'];
const LASTING = ['log.db', 'state.db', 'keys.db'];

/** Does something with another file in the database's place, and puts it back. */
async function instead(name: string, put: (path: string) => void, then: () => Promise<void>) {
  const path = join(dataDir, name);
  await truncateWal(path);
  take(name, dataDir, aside);
  writeFileSync(path, readFileSync(join(aside, name)));
  put(path);
  await then();
  for (const side of ['', '-wal', '-shm']) rmSync(`${path}${side}`, { force: true });
  take(name, aside, dataDir);
}

/** The one sentence of a command that fails of a damaged file: it names the file and the way back. */
async function namesDamage(name: string, args: readonly string[], said: RegExp) {
  const running = runOja(args, { PORT: `${await freePort()}`, DATA_DIR: dataDir });
  expect(await running.exited).toBe(1);
  const told = running.lines.filter((line) => line.includes(name));
  expect(told.at(-1)).toMatch(said);
  expect(told.at(-1)).toContain(
    MADE_AGAIN.includes(name) ? 'made again at the next start' : 'oja restore',
  );
  expect(running.lines.join('\n')).not.toMatch(/\bat .*\.js:\d+/);
}

const damaged = (name: string) => new RegExp(`${name} is damaged \\(.*\\)\\. Stop the market`);

it.each(
  ['log.db', 'documents.db'].flatMap((name) =>
    Object.keys(damages).map((how) => [name, how] as const),
  ),
)('%s that is %s is named, with the way back', async (name, how) => {
  const damage = (path: string) => damages[how]?.(path);
  await instead(name, damage, () => namesDamage(name, ['verify'], damaged(name)));
});

it.each(
  ['state.db', 'keys.db', 'jobs.db'].flatMap((name) =>
    Object.keys(damages).map((how) => [name, how] as const),
  ),
)('%s that is %s is named by status and by a start, with the way back', async (name, how) => {
  await instead(
    name,
    (path) => damages[how]?.(path),
    async () => {
      await namesDamage(name, ['status'], damaged(name));
      await namesDamage(name, ['start'], damaged(name));
    },
  );
});

it.each([...LASTING, ...MADE_AGAIN])(
  '%s that is another database or none is named, with the way back',
  async (name) => {
    const other = name === 'keys.db' ? 'state.db' : 'keys.db';
    const theirs = readFileSync(join(dataDir, other));
    await instead(
      name,
      (path) => writeFileSync(path, theirs),
      () => namesDamage(name, ['status'], /is damaged \(it is another database, with \w+ in it\)/),
    );
    await instead(
      name,
      (path) => writeFileSync(path, 'It was a dark and stormy night. '.repeat(200)),
      () => namesDamage(name, ['start'], damaged(name)),
    );
  },
);

it.each(LASTING)('%s without a byte is not taken for a new one', async (name) => {
  await instead(
    name,
    (path) => writeFileSync(path, ''),
    async () => {
      for (const command of ['start', 'status'])
        expect(await refused(command)).toMatch(
          new RegExp(`${name} is empty in .*: without it .* oja restore`),
        );
    },
  );
});

it('opens as before once everything is back', async () => {
  const market = await openMarket(dataDir);
  const search = await fetch(`${market.url}/v1/products/search?limit=1`);
  expect(await search.json()).toMatchObject({ total: ALL_GOODS });
  expect(await market.stop()).toBe(0);
});
