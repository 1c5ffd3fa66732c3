import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  createEmbeddedDocuments,
  createEmbeddedEventStore,
  createEmbeddedJobs,
  createEmbeddedKeys,
  createEmbeddedState,
  type EventStore,
  type EventToAppend,
  type JsonObject,
  systemClock,
} from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freeBytesIn } from '../shared/disk-space.js';
import { backUp } from './backup.js';
import { checkBackup } from './checking.js';
import { countErasedInBackups } from './erased-since.js';
import { bytesOfMarket } from './manifest.js';
import { storageAt } from './open-storage.js';
import { backupsIn } from './retention.js';

const { signal } = new AbortController();
const silent = () => {};
/** How many databases are looked at before the first is copied. */
const CHECKED = 5;

let home: string;
let dataDir: string;
let eventStore: EventStore;
let logId: string;
const closing: { close(): Promise<void> }[] = [];

/** A market with a picture, which its log knows nothing of yet. */
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'oja-backup-'));
  dataDir = join(home, 'data');
  mkdirSync(dataDir);
  const file = (name: string) => join(dataDir, `${name}.db`);
  eventStore = await createEmbeddedEventStore({ file: file('log') });
  closing.push(
    eventStore,
    await createEmbeddedState({ file: file('state') }),
    await createEmbeddedDocuments({ file: file('documents') }),
    await createEmbeddedKeys({ file: file('keys'), masterKey: randomBytes(32) }),
    await createEmbeddedJobs({ file: file('jobs') }),
  );
  logId = await eventStore.logId();
  put(dataDir, 'pictures/originals/bag.jpg');
});

afterEach(async () => {
  for (const each of closing.splice(0)) await each.close();
  rmSync(home, { recursive: true });
});

function put(folder: string, name: string, content = `the content of ${name}`): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const place = (name: string) => join(home, 'stick', name);

const backedUp = (
  options: {
    readonly stop?: AbortSignal;
    readonly onProgress?: (done: number, total: number) => void;
    readonly of?: string;
  } = {},
) =>
  backUp(
    {
      config: { dataDir, redisUrl: null },
      logId: options.of ?? logId,
      clock: systemClock,
      engines: { eventStore },
    },
    place('market'),
    place('keys'),
    options.stop ?? signal,
    options.onProgress ?? silent,
  );

const namesIn = (manifestOf: string): readonly string[] =>
  JSON.parse(readFileSync(join(place(manifestOf), 'oja-backup.json'), 'utf8')).files.map(
    ({ name }: { readonly name: string }) => name,
  );

/** A callback of a backup that does something once so many files are copied. */
function afterCopies(files: number, act: () => void): () => void {
  let heard = 0;
  return () => {
    heard += 1;
    if (heard === CHECKED + files) act();
  };
}

/** A backup that is stopped after so many files. */
async function stoppedAfter(files: number): Promise<void> {
  const stopping = new AbortController();
  const onProgress = afterCopies(files, () => stopping.abort(new Error('stopped')));
  await expect(backedUp({ stop: stopping.signal, onProgress })).rejects.toThrow('stopped');
}

describe('A folder for a backup', () => {
  it.each([
    ['market', 'pictures-of-mine/a.jpg'],
    ['market', 'pictures from Abuja/a.jpg'],
    ['market', 'pictures/a.jpg'],
    ['market', 'log.db'],
    ['market', 'log.db.mine'],
    ['keys', 'keys.db'],
    ['keys', 'secrets.json.old'],
  ])('is left as it is if in that of the %s there is %s', async (part, name) => {
    put(place(part), name, 'mine');
    const mode = statSync(place(part)).mode;
    await expect(backedUp()).rejects.toMatchObject({
      code: 2,
      message: `${place(part)} holds something else (${name.split('/')[0]}): name another folder.`,
    });
    expect(readFileSync(join(place(part), name), 'utf8')).toBe('mine');
    expect(statSync(place(part)).mode).toBe(mode);
    expect(existsSync(place(part === 'keys' ? 'market' : 'keys'))).toBe(false);
  });

  it('is used again if a backup of this market was stopped there', async () => {
    await stoppedAfter(2);
    const found = await backupsIn(await storageAt(join(home, 'stick')));
    expect(found.map(({ name, whole }) => [name, whole])).toEqual([
      ['market', false],
      ['keys', false],
    ]);
    await backedUp();
    expect(readdirSync(place('market'))).not.toContain('oja-backup-begun.json');
    expect(readdirSync(place('keys')).sort()).toEqual(['keys.db', 'oja-backup.json']);
  });

  it('is used again if a backup was killed there before it had marked the folder', async () => {
    await stoppedAfter(2);
    rmSync(join(place('keys'), 'oja-backup-begun.json'));
    const draft = 'oja-backup-begun.json.2c1a1b52-83fd-4e0c-9a1c-0c8b4c2f5b11.tmp';
    for (const name of readdirSync(place('keys'))) rmSync(join(place('keys'), name));
    put(place('keys'), draft, '{');
    await backedUp();
    expect(readdirSync(place('keys')).sort()).toEqual(['keys.db', 'oja-backup.json']);
  });

  /** Stops a backup once its keys are whole: the six files are copied, the keys summed up, and the rest is begun. */
  const stoppedAfterKeys = () => stoppedAfter(6 + 2);
  const marked = (part: string) => readdirSync(place(part)).filter((name) => /^oja-/.test(name));

  it('is used again if the backup was stopped there after its keys were whole', async () => {
    await stoppedAfterKeys();
    expect(marked('market')).toEqual(['oja-backup-begun.json']);
    expect(marked('keys')).toEqual(['oja-backup-begun.json', 'oja-backup.json']);
    await backedUp();
    for (const part of ['market', 'keys']) expect(marked(part)).toEqual(['oja-backup.json']);
    const found = await backupsIn(await storageAt(join(home, 'stick')));
    expect(found.map(({ whole }) => whole)).toEqual([true, true]);
    expect(new Set(found.map(({ id }) => id)).size).toBe(1);
  });

  it('is left as it is if its keys belong to another backup than the one that was stopped', async () => {
    await stoppedAfterKeys();
    const path = join(place('market'), 'oja-backup-begun.json');
    const begun = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...begun, id: randomUUID() }));
    await expect(backedUp()).rejects.toMatchObject({
      code: 2,
      message: `${place('keys')} holds a backup already: name another folder.`,
    });
    rmSync(place('market'), { recursive: true });
    await expect(backedUp()).rejects.toMatchObject({ code: 2 });
    expect(existsSync(join(place('keys'), 'keys.db'))).toBe(true);
    expect(existsSync(place('market'))).toBe(false);
  });

  it('is left as it is if only the mark of a finished backup was not removed', async () => {
    await stoppedAfterKeys();
    const mark = 'oja-backup-begun.json';
    const marks = ['market', 'keys'].map((part) => readFileSync(join(place(part), mark)));
    await backedUp();
    ['market', 'keys'].forEach((part, i) => {
      writeFileSync(join(place(part), mark), marks[i] ?? '');
    });
    await expect(backedUp()).rejects.toMatchObject({
      code: 2,
      message: `${place('market')} holds a backup already: name another folder.`,
    });
  });

  it.each([
    ['a file', 'notes.txt'],
    ['a picture that is none of a market', 'pictures/My holiday.jpg'],
    ['a copy with a name of its own', 'log.db.mine'],
  ])('is left as it is if %s was put beside a stopped backup', async (_, name) => {
    await stoppedAfter(2);
    put(place('market'), name, 'mine');
    await expect(backedUp()).rejects.toMatchObject({
      code: 2,
      message: expect.stringContaining(`holds something else (${name})`),
    });
    expect(readFileSync(join(place('market'), name), 'utf8')).toBe('mine');
    expect(existsSync(join(place('market'), 'log.db'))).toBe(true);
  });

  it('is left as it is if the backup that was stopped there is of another market', async () => {
    await stoppedAfter(2);
    await expect(backedUp({ of: 'another' })).rejects.toMatchObject({
      code: 2,
      message: `${place('market')} holds an unfinished backup of another market: name another folder.`,
    });
    expect(existsSync(join(place('market'), 'log.db'))).toBe(true);
  });

  it.each([
    ['keys', 0],
    ['market', 2],
  ])(
    'is not called a backup if another one has begun in that of the %s meanwhile',
    async (part, summedUp) => {
      const mark = join(place(part), 'oja-backup-begun.json');
      const takeOver = () => {
        const begun = JSON.parse(readFileSync(mark, 'utf8'));
        writeFileSync(mark, JSON.stringify({ ...begun, id: randomUUID() }));
      };
      await expect(
        backedUp({ onProgress: afterCopies(6 + summedUp, takeOver) }),
      ).rejects.toMatchObject({
        code: 1,
        message: `Another oja backup writes to ${place(part)} at this moment: let it end, or name another folder.`,
      });
      expect(marked(part)).toEqual(['oja-backup-begun.json']);
    },
  );

  it('keeps the remains of a stopped backup if there is no room for another', async () => {
    await stoppedAfter(2);
    put(dataDir, 'pictures/originals/large.jpg', '');
    // All of it is a hole, which takes no room here.
    truncateSync(join(dataDir, 'pictures/originals/large.jpg'), 2 * (await freeBytesIn(home)));
    await expect(backedUp()).rejects.toMatchObject({ code: 1 });
    expect(existsSync(join(place('market'), 'log.db'))).toBe(true);
  });
});

function newEvent(type: string, data: JsonObject): EventToAppend {
  const id = randomUUID();
  const metadata = {
    ...{ actor: 'test', commandId: id, correlationId: id, causationId: id },
    ...{ time: '2026-01-01T00:00:00.000Z', schemaVersion: 1 },
  };
  return { id, type, data, metadata };
}

/** Another process begins a stream. A backup copies without a pause, so this one could not. */
function begunElsewhere(stream: string, type: string, data: JsonObject): void {
  const append = `
    const [file, stream, event] = process.argv.slice(1);
    import('@oja/platform').then(async ({ createEmbeddedEventStore }) => {
      const log = await createEmbeddedEventStore({ file });
      await log.append(stream, 'no-stream', [JSON.parse(event)]);
      await log.close();
    });`;
  const args = [
    '-e',
    append,
    join(dataDir, 'log.db'),
    stream,
    JSON.stringify(newEvent(type, data)),
  ];
  execFileSync(process.execPath, args, { cwd: import.meta.dirname });
}

it('is whole if it says so, and says what was in its way, wherever another one begins in the same folders', async () => {
  let whole = 0;
  for (let moment = 1; ; moment += 1) {
    let heard = 0;
    let second: Promise<readonly PromiseSettledResult<unknown>[]> | null = null;
    const first = backedUp({
      onProgress() {
        heard += 1;
        if (heard === moment) second = Promise.allSettled([backedUp()]);
      },
    });
    const ends = [...(await Promise.allSettled([first])), ...((await second) ?? [])];
    if (second === null) break;
    for (const ended of ends)
      if (ended.status === 'rejected')
        expect([moment, ended.reason.message]).toEqual([
          moment,
          expect.stringMatching(/another oja backup writes to|holds a backup already/i),
        ]);
    if (ends.some(({ status }) => status === 'fulfilled')) {
      await checkBackup(place('market'), place('keys'), signal);
      whole += 1;
    }
    for (const part of ['market', 'keys']) rmSync(place(part), { recursive: true });
  }
  expect(whole).toBeGreaterThan(0);
});

it('says what the disk says where its folder goes meanwhile, and blames no other backup', async () => {
  const gone = backedUp({
    onProgress() {
      if (existsSync(join(place('market'), 'oja-backup-begun.json')))
        rmSync(place('market'), { recursive: true });
    },
  });
  await expect(gone).rejects.toThrow(/^(?!.*another oja backup)/is);
});

it('tells how many bytes of the market are done, also of one large file', async () => {
  put(dataDir, 'pictures/originals/large.jpg', 'x'.repeat(1_000_000));
  const told: (readonly [done: number, of: number])[] = [];
  await backedUp({ onProgress: (...at) => told.push(at) });
  const total = bytesOfMarket(dataDir);
  expect(told.at(-1)).toEqual([expect.closeTo(total, -5), total]);
  const steps = told.map(([done], i) => done - (told[i - 1]?.[0] ?? 0));
  expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
  // It is copied at once, and then read in pieces.
  expect(steps.filter((step) => step > 1_000).length).toBeGreaterThan(10);
});

describe('The pictures of a backup', () => {
  it('are also those that the copied log has come to know while it was being copied', async () => {
    const { head } = await backedUp({
      onProgress: afterCopies(1, () => {
        put(dataDir, 'pictures/originals/late.jpg');
        begunElsewhere('product-1', 'ProductListed', { productId: '1', images: ['late.jpg'] });
      }),
    });
    expect(head).toBe(await eventStore.head());
    expect(head).not.toBeNull();
    expect([...namesIn('market')].sort()).toEqual([
      'documents.db',
      'jobs.db',
      'log.db',
      'pictures/originals/bag.jpg',
      'pictures/originals/late.jpg',
      'state.db',
    ]);
  });

  it('are not missed if nobody used them and they were removed meanwhile', async () => {
    const unused = 'pictures/originals/unused.jpg';
    put(dataDir, unused);
    const remove = () => rmSync(join(dataDir, unused), { force: true });
    await backedUp({ onProgress: afterCopies(6, remove) });
    expect(namesIn('market')).toContain('pictures/originals/bag.jpg');
    expect(namesIn('market')).not.toContain(unused);
  });
});

describe('The keys of a backup', () => {
  const at = '2026-01-02T00:00:00.000Z';
  const ordered = (id: string) =>
    [`transaction-${id}`, 'OrderPlaced', { transactionId: id }] as const;
  const removed = (transactionId: string) =>
    eventStore.append(`transaction-${transactionId}`, 0, [
      newEvent('BuyerRecordRemoved', { transactionId, by: 'test', at }),
    ]);
  const counted = async () => {
    const found = await backupsIn(await storageAt(join(home, 'stick')));
    return (await countErasedInBackups({ eventStore, logId }, found)).get('keys');
  };

  it('are those also of a buyer who ordered after the log was copied and before they were', async () => {
    begunElsewhere(...ordered('before'));
    await backedUp({ onProgress: afterCopies(2, () => begunElsewhere(...ordered('meanwhile'))) });
    begunElsewhere(...ordered('afterwards'));
    expect(await counted()).toBe(0);
    for (const [order, held] of [
      ['before', 1],
      ['meanwhile', 2],
      ['afterwards', 2],
    ] as const) {
      await removed(order);
      expect(await counted()).toBe(held);
    }
  });

  it('are counted as those up to the copied log where an earlier release has copied them', async () => {
    begunElsewhere(...ordered('before'));
    await backedUp();
    const file = join(place('keys'), 'oja-backup.json');
    const { headAfter, ...manifest } = JSON.parse(readFileSync(file, 'utf8'));
    expect(headAfter).toBe(await eventStore.head());
    writeFileSync(file, JSON.stringify(manifest));
    await removed('before');
    expect(await counted()).toBe(1);
  });
});

it('counts the pictures of a market however its folder is spelled', () => {
  put(dataDir, 'pictures/originals/large.jpg', 'x'.repeat(1_000_000));
  expect(bytesOfMarket(dataDir)).toBeGreaterThan(1_000_000);
  expect(bytesOfMarket(`${dataDir}/`)).toBe(bytesOfMarket(dataDir));
});
