import {
  closeSync,
  cpSync,
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
import type { Product } from '@oja/contracts';
import { createEmbeddedEventStore, files, truncateWal } from '@oja/platform';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../../test/support/client.js';
import { freePort, openMarket, runOja, temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import { find, listBag, placeOrder, registerSeller } from '../../test/thread/walk.js';
import { oja, ojaJson } from './support/oja.js';

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

interface Traced {
  readonly story: readonly unknown[];
  readonly waits: readonly unknown[];
  readonly order: {
    readonly number: string;
    readonly transactionId: string;
    readonly sellers: readonly { readonly businessName: string }[];
  };
}

/** Takes the read models away, as the way back from a damaged file does. */
function withoutDocuments(): void {
  for (const side of ['', '-wal', '-shm'])
    rmSync(join(dataDir, `documents.db${side}`), { force: true });
}

/** The id of an order of the samples. */
async function anOrder(): Promise<string> {
  const events = (await oja(dataDir, ['events', '--after', '0', '-n', '2000', '--json'])).lines;
  const placed = events.map((line) => JSON.parse(line)).find(({ type }) => type === 'OrderPlaced');
  return placed.data.transactionId;
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

it('another log is taken beside the accounts where a market was moved out, to be moved into that log', async () => {
  const { path: elsewhere, remove: removeElsewhere } = temporaryFolder();
  const archive = join(elsewhere, 'market.gz');
  expect(await oja(dataDir, ['move', 'out', archive])).toMatchObject({ code: 0 });
  take('log.db', dataDir, elsewhere);
  const other = await createEmbeddedEventStore({ file: join(dataDir, 'log.db') });
  await other.close();
  const moved = await oja(dataDir, ['move', 'in', archive]);
  expect([moved.code, moved.text]).toEqual([0, expect.stringMatching(/ moved in;/)]);
  const market = await openMarket(dataDir);
  const search = await fetch(`${market.url}/v1/products/search?limit=1`);
  expect(await search.json()).toMatchObject({ total: ALL_GOODS });
  expect(await market.stop()).toBe(0);
  removeElsewhere();
});

it('a log without the keys and accounts of its sellers is not opened as if nobody had any', async () => {
  const before = readFileSync(marker, 'utf8');
  // As 0.1.0 leaves it, and as a mistyped MONGODB_URL is: nothing tells that there were such files.
  const { files: _, ...unnoted } = JSON.parse(before);
  writeFileSync(marker, JSON.stringify(unnoted));
  for (const name of ['state.db', 'keys.db']) take(name, dataDir, aside);
  try {
    for (const command of ['start', 'status', 'verify'])
      expect(await refused(command)).toMatch(
        /^The log \S+ has sellers, but .* no key and no account .*: check .*MONGODB_URL/,
      );
  } finally {
    for (const name of ['state.db', 'keys.db']) {
      for (const side of ['', '-wal', '-shm'])
        rmSync(join(dataDir, `${name}${side}`), { force: true });
      take(name, aside, dataDir);
    }
    writeFileSync(marker, before);
  }
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

it('an order is found by its number, and those of a store, before the read models are made again', async () => {
  const { story, order } = await ojaJson<Traced>(dataDir, ['trace', await anOrder()]);
  const { number, transactionId, sellers } = order;
  expect(story.length).toBeGreaterThan(0);
  const without = (...args: readonly string[]) => {
    withoutDocuments();
    return oja(dataDir, args);
  };
  expect((await without('trace', number)).text).toContain(transactionId);
  expect((await without('trace', 'nobody1a')).text).toMatch(/no order and no store/);
  expect((await without('trace', 'ffffffff')).text).toMatch(/no order and no store/);
  expect((await without('trace', sellers[0]?.businessName ?? '')).text).toContain(number);
  expect(await without('logs', '--order', number)).toMatchObject({ code: 0 });
  const erased = await without('erase', '--transaction', number, '--yes');
  expect(erased.text).toContain(transactionId);
  expect(erased.text).not.toMatch(/There is no transaction/);
});

it('what an order waits for is told before the read models are made again', async () => {
  const market = await openMarket(dataDir);
  const shopper = new Client(market.url);
  const { transactionId } = await placeOrder(shopper, (await find(shopper, 'bag')).slice(0, 1));
  expect(await market.stop()).toBe(0);
  const [id = ''] = transactionId.split('.');
  const waits = async () => (await ojaJson<Traced>(dataDir, ['trace', id])).waits;
  const before = await waits();
  expect(before).toContainEqual(expect.objectContaining({ who: 'sweep' }));
  withoutDocuments();
  expect(await waits()).toEqual(before);
});

/** What a disk loses at once, in bytes. */
const BLOCK = 4_096;

/** Puts so many bytes that mean nothing into a file. */
function overwrite(path: string, from: number, bytes: number, by: string | number = 0xff): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(bytes, by), 0, bytes, from);
  closeSync(file);
}

const damages: Readonly<Record<string, (path: string) => void>> = {
  overwritten: (path) => overwrite(path, 0, 2 * BLOCK, 'A'),
  'damaged in the middle'(path) {
    const { size } = statSync(path);
    const from = Math.floor(size / 10);
    overwrite(path, from, size - from);
  },
  'damaged in one place'(path) {
    const block = Math.floor(statSync(path).size / 2 / BLOCK) * BLOCK;
    overwrite(path, block, BLOCK);
  },
  'cut short': (path) => truncateSync(path, Math.floor(statSync(path).size / 2) + 100),
};

/** What is made again from the log, or by itself. */
const MADE_AGAIN = ['documents.db', 'jobs.db'];
const LASTING = ['log.db', 'state.db', 'keys.db'];
const READ_WHOLE = ['log.db', 'documents.db'];

/** Does something with another file in the database's place, and puts it back. */
async function instead(name: string, put: (path: string) => void, then: () => Promise<void>) {
  const path = join(dataDir, name);
  await truncateWal(path);
  take(name, dataDir, aside);
  writeFileSync(path, readFileSync(join(aside, name)));
  try {
    put(path);
    await then();
  } finally {
    for (const side of ['', '-wal', '-shm']) rmSync(`${path}${side}`, { force: true });
    take(name, aside, dataDir);
  }
}

/** The one sentence of a command that fails of a damaged file: it names the file and the way back. */
async function namesDamage(name: string, args: readonly string[], said: RegExp, folder = dataDir) {
  const running = runOja(args, { PORT: `${await freePort()}`, DATA_DIR: folder });
  expect(await running.exited).toBe(1);
  const told = running.lines.filter((line) => line.includes(name));
  expect(told.at(-1)).toMatch(said);
  expect(told.at(-1)).toContain(
    MADE_AGAIN.includes(name) ? 'run oja start, which rebuilds' : 'oja restore',
  );
  expect(running.lines.join('\n')).not.toMatch(/\bat .*\.js:\d+/);
}

const damaged = (name: string) => new RegExp(`${name} is damaged \\(.*\\)\\. Stop the market`);

it.each(
  [...LASTING, ...MADE_AGAIN].flatMap((name) =>
    Object.keys(damages).map((how) => [name, how] as const),
  ),
)('%s that is %s is named by status and by a start, with the way back', async (name, how) => {
  await instead(
    name,
    (path) => damages[how]?.(path),
    async () => {
      await namesDamage(name, ['status'], damaged(name));
      await namesDamage(name, ['start'], damaged(name));
      await namesDamage(name, ['start', '--plan'], new RegExp(`^${dataDir}/${name} is damaged`));
      // What reads all of it without having looked first.
      if (READ_WHOLE.includes(name)) await namesDamage(name, ['verify'], damaged(name));
    },
  );
});

/** Stands in events, in letters of one byte each. */
const PART = '"description":';

it.each([
  ['bytes that are no text', 0xff],
  ['text that is no JSON', 'A'],
  ['nothing', 0],
] as const)('an event that has become %s is named by what reads it', async (_, by) => {
  const change = (path: string) =>
    overwrite(path, readFileSync(path).indexOf(PART), PART.length, by);
  await instead('log.db', change, async () => {
    for (const command of [['verify'], ['events', '--after', '0', '-n', '2000']])
      await namesDamage('log.db', command, damaged('log.db'));
  });
});

it.each(READ_WHOLE)(
  '%s that is damaged while the market runs takes no more writes, and is named',
  async (name) => {
    const folder = temporaryFolder();
    const path = join(folder.path, name);
    const market = await openSampleMarket(folder.path);
    try {
      const seller = await registerSeller(market.url, 'Damaged House');
      const product = await listBag(seller, 'Damaged bag', 6_000, ['#3a3', '#a3a']);
      expect((await fetch(`${market.url}/readyz`)).status).toBe(200);
      expect(await truncateWal(path)).toBe(true);
      damages['damaged in the middle']?.(path);

      const readsIt =
        name === 'log.db'
          ? seller.client.fetch(`/v1/product/update/${product}`, {
              method: 'PUT',
              headers: { 'Content-Type': 'application/json' },
              body: JSON.stringify({ description: 'Changed' }),
            })
          : seller.client.fetch('/v1/products/search?limit=50');
      expect(await readsIt).toMatchObject({ status: 503 });
      const ready = await fetch(`${market.url}/readyz`);
      expect(ready.status).toBe(503);
      expect(await ready.text()).toContain(`writes to ${name}`);
      const log = readFileSync(join(folder.path, files.logs, 'market.log'), 'utf8');
      expect(log).toContain(`${name} is damaged (`);
      expect(await market.stop()).toBe(0);
      await namesDamage(name, ['start'], damaged(name), folder.path);
    } finally {
      await market.kill();
      folder.remove();
    }
  },
);

it('damage that no look has met is told by status once the market has met it', async () => {
  const folder = temporaryFolder();
  const path = join(folder.path, files.log);
  const market = await openSampleMarket(folder.path);
  try {
    expect(await truncateWal(path)).toBe(true);
    const bytes = readFileSync(path, 'latin1');
    const place = bytes.indexOf(PART);
    overwrite(path, place, PART.length);
    const [, product] =
      /^"productId":"([^"]+)"/.exec(bytes.slice(bytes.lastIndexOf('"productId":', place))) ?? [];
    const status = () => oja(folder.path, ['status', '--check']);
    expect(await status()).toMatchObject({ code: 0 });
    const shopper = new Client(market.url);
    const { result } = await shopper.get<{ result: Product }>(`/v1/product/${product}`);
    await expect(placeOrder(shopper, [result])).rejects.toThrow(/: 503 /);
    await expect.poll(async () => (await status()).text).toMatch(/takes no writes to log\.db$/m);
    expect(await status()).toMatchObject({ code: 1 });
    await namesDamage('log.db', ['verify'], damaged('log.db'), folder.path);
    expect(await market.stop()).toBe(0);
  } finally {
    await market.kill();
    folder.remove();
  }
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

describe('a restore over a damaged market', () => {
  const { path: folder, remove: removeFolder } = temporaryFolder();
  const [whole, broken] = [join(folder, 'whole'), join(folder, 'broken')];
  const backup = join(folder, 'backup');
  const keys = join(broken, files.keys);
  let contactId = '';

  beforeAll(async () => {
    const market = await openSampleMarket(whole);
    await new Client(market.url).call(200, 'POST', '/v1/email/sendEmail', {
      name: 'Zainab of the backup',
      email: 'zainab@backup.example',
      subject: 'Forget me',
      message: 'As soon as you can, please.',
    });
    expect(await market.stop()).toBe(0);
    const last = (await oja(whole, ['events', 'tail', '--json'])).lines.map((l) => JSON.parse(l));
    contactId = last.find(({ type }) => type === 'ContactMessageReceived').data.contactId;
    expect(await oja(whole, ['backup', backup])).toMatchObject({ code: 0 });
    expect(await oja(whole, ['erase', '--contact', contactId, '--yes'])).toMatchObject({ code: 0 });
    for (const name of LASTING) await truncateWal(join(whole, name));
  });
  beforeEach(() => cpSync(whole, broken, { recursive: true }));
  afterEach(() => rmSync(broken, { recursive: true }));
  afterAll(removeFolder);

  const restored = () => ojaJson<object>(broken, ['restore', backup, '--yes']);

  it.each([
    ...Object.entries(damages),
    ['missing', (path: string) => rmSync(path)] as const,
    ['without a byte', (path: string) => writeFileSync(path, '')] as const,
    ['another database', (path: string) => cpSync(join(whole, files.state), path)] as const,
  ])('brings back nobody who was erased since, with a keys.db that is %s', async (_, damage) => {
    damage(keys);
    expect(await restored()).toMatchObject({ erasedAgain: 1 });
    const proof = await ojaJson<object>(broken, ['erase', '--contact', contactId, '--yes']);
    expect(proof).toMatchObject({ keyDestroyed: true, readable: 0 });
  });

  it('is finished after a kill that left half a keys.db', async () => {
    const { id } = JSON.parse(readFileSync(join(backup, 'oja-backup.json'), 'utf8'));
    const begun = { backup: id, erased: [`contact:${contactId}`] };
    writeFileSync(join(broken, 'restoring.json'), JSON.stringify(begun));
    damages['cut short']?.(keys);
    expect(await restored()).toMatchObject({ erasedAgain: 1 });
  });

  it.each([
    ['damaged', (path: string) => damages.overwritten?.(path)],
    ['missing', (path: string) => rmSync(path)],
  ])('says that it is not known who was erased, where the log is %s too', async (_, damage) => {
    for (const name of [files.log, files.keys]) damage(join(broken, name));
    const { code, text } = await oja(broken, ['restore', backup, '--yes']);
    expect(code).toBe(0);
    expect(text).toMatch(/^It is not known .* who was erased .*: erase them again/m);
    expect(text).toContain('is restored to');
  });
});

it('opens as before once everything is back', async () => {
  const market = await openMarket(dataDir);
  const search = await fetch(`${market.url}/v1/products/search?limit=1`);
  expect(await search.json()).toMatchObject({ total: ALL_GOODS });
  expect(await market.stop()).toBe(0);
});
