import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Market, runOja, temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import { eventStats, oja } from './support/oja.js';
import { openS3, type S3StandIn } from './support/s3.js';

const folder = temporaryFolder();
const dataDir = join(folder.path, 'data');
const keyFile = join(folder.path, 'backup.key');
/** Of three parts and of a size that no other file has. */
const picture = join(dataDir, 'pictures/originals/large.png');
const LARGE = 16 * 1024 * 1024 + 7;
const place = 's3://backups/oja';
const vault = 's3://vault/keys/oja';
const both = [place, '--keys', vault];
let market: Market;
let s3: S3StandIn;
let recipient: string;

const backedUp = z.strictObject({
  folder: z.string(),
  keysFolder: z.string(),
  head: z.string(),
  files: z.number().int(),
  bytes: z.number().int(),
  encrypted: z.literal(true),
  removed: z.array(
    z.strictObject({
      name: z.string(),
      at: z.iso.datetime(),
      bytes: z.number().int(),
      withKeys: z.boolean(),
    }),
  ),
});
const listed = z.array(
  z.strictObject({
    name: z.string(),
    part: z.enum(['market', 'keys']),
    id: z.uuid(),
    at: z.iso.datetime(),
    logId: z.string(),
    head: z.string().nullable(),
    files: z.number().int(),
    bytes: z.number().int(),
    encrypted: z.boolean(),
    whole: z.boolean(),
    erasedStillHeld: z.number().int().nullable(),
  }),
);

const env = () => ({ ...s3.env, BACKUP_RECIPIENT: recipient });
const run = (args: readonly string[], others: Readonly<Record<string, string>> = {}) =>
  oja(dataDir, args, { ...env(), ...others });

async function json<T>(schema: z.ZodType<T>, args: readonly string[]): Promise<T> {
  const { code, text } = await run([...args, '--json']);
  expect({ code, text }).toMatchObject({ code: 0 });
  return schema.parse(JSON.parse(text));
}

const backUp = async () => {
  const { folder, keysFolder } = await json(backedUp, ['backup', ...both]);
  return { market: folder, keys: keysFolder, args: [folder, '--keys', keysFolder] };
};
const fresh = (name: string) => join(folder.path, name);
const restore = (name: string, args: readonly string[], others = {}) =>
  oja(fresh(name), ['restore', ...args], { ...s3.env, BACKUP_KEY_FILE: keyFile, ...others });
const staged = (at = dataDir) => readdirSync(at).filter((name) => name.startsWith('staged-'));

beforeAll(async () => {
  s3 = await openS3(['backups', 'vault']);
  market = await openSampleMarket(dataDir);
  mkdirSync(join(dataDir, 'pictures/originals'), { recursive: true });
  writeFileSync(picture, randomBytes(LARGE));
  const made = await oja(dataDir, ['backup', 'key', keyFile, '--json']);
  recipient = JSON.parse(made.text).recipient;
}, 120_000);

afterEach(() => {
  s3.fate = () => 'answered';
  s3.ahead = 0;
});

afterAll(async () => {
  await market?.stop();
  await s3?.stop();
  folder.remove();
});

/** Everything at the place, forgotten. */
function empty(): void {
  s3.objects.clear();
  s3.uploads.clear();
}

describe('a backup at S3', () => {
  it('brings a lost market back, and nothing of it can be read there', async () => {
    // The first try of one part fails, and is made again.
    let failed = 0;
    s3.fate = (told) => (told.includes('partNumber=2') && failed++ === 0 ? 500 : 'answered');
    const backup = await backUp();
    expect(failed).toBeGreaterThan(1);
    expect(backup.market).toMatch(/^s3:\/\/backups\/oja\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/);
    expect(staged()).toEqual([]);
    const keys = [...s3.objects.keys()].filter((at) => /keys\.db|secrets\.json/.test(at));
    expect(keys.length).toBe(2);
    expect(keys.every((at) => at.startsWith('vault/keys/oja/'))).toBe(true);
    for (const [at, content] of s3.objects)
      if (!at.endsWith('.json'))
        expect([at, content.subarray(0, 21).toString()]).toEqual([at, 'age-encryption.org/v1']);
    // What makes it a backup comes last.
    const writes = s3.told.filter((line) => /^(PUT|POST)/.test(line));
    expect(writes.at(-1)).toMatch(/^PUT backups\/oja\/[^/]+\/oja-backup\.json/);
    const found = await json(listed, ['backup', 'list', place]);
    expect(found).toMatchObject([{ part: 'market', whole: true, encrypted: true }]);
    expect(await json(listed, ['backup', 'list', vault])).toMatchObject([
      { part: 'keys', whole: true, id: found[0]?.id },
    ]);

    // One download is cut off half-way, and asked for again.
    let cut = 0;
    s3.fate = (told) => (/^GET .*large\.png/.test(told) && cut++ === 0 ? 'cut' : 'answered');
    expect(await restore('back', backup.args)).toMatchObject({ code: 0 });
    expect(cut).toBe(2);
    expect(staged(fresh('back'))).toEqual([]);
    expect((await eventStats(fresh('back'))).types).toEqual((await eventStats(dataDir)).types);
    const original = readFileSync(picture);
    expect(readFileSync(join(fresh('back'), 'pictures/originals/large.png')).equals(original)).toBe(
      true,
    );
    expect(await oja(fresh('back'), ['verify', 'ledger'])).toMatchObject({ code: 0 });
  }, 240_000);

  it('is drilled from where it lies', async () => {
    const [found] = await json(listed, ['backup', 'list', place]);
    const from = ['--from', `${place}/${found?.name}`, '--keys', `${vault}/${found?.name}`];
    const { code, text } = await run(['drill', '--in', folder.path, ...from, '--json'], {
      BACKUP_KEY_FILE: keyFile,
    });
    const drilled = JSON.parse(text);
    expect({ code, drilled }).toMatchObject({ code: 0, drilled: { ok: true } });
    const steps = drilled.steps.map(({ step }: { readonly step: string }) => step);
    expect(steps).toEqual(['restore', 'replay', 'verify', 'erase']);
    expect(drilled.steps[0].told).toBe(`the market of ${found?.at}`);
  }, 240_000);

  it.skipIf(spawnSync('age', ['--version']).status !== 0)(
    'is opened by age alone, without Oja',
    async () => {
      const [at = '', content] = [...s3.objects].find(([key]) => key.endsWith('log.db.age')) ?? [];
      expect(at).not.toBe('');
      const opened = spawnSync('age', ['--decrypt', '--identity', keyFile], {
        input: content,
        maxBuffer: 2 ** 30,
      });
      expect(opened.stdout.subarray(0, 15).toString()).toBe('SQLite format 3');
    },
  );

  it('is not restored without its key, nor once a byte of it is another', async () => {
    const name = [...s3.objects.keys()].find((key) => key.endsWith('log.db.age')) ?? '';
    const before = s3.objects.get(name) ?? Buffer.alloc(0);
    const at = `s3://${name.replace('/log.db.age', '')}`;
    const args = [at, '--keys', at.replace(place, vault)];
    const closed = await restore('none', args, { BACKUP_KEY_FILE: '' });
    expect(closed).toMatchObject({ code: 78, text: expect.stringContaining('set BACKUP_KEY') });
    const other = fresh('other.key');
    await run(['backup', 'key', other]);
    const wrong = await restore('none', args, { BACKUP_KEY_FILE: other });
    expect(wrong).toMatchObject({ code: 78, text: expect.stringContaining('another key') });
    const piece = 64 * 1024 + 16;
    const start = before.length - (before.length % piece);
    const damaged = {
      cut: before.subarray(0, -1),
      'without its last piece': before.subarray(0, start),
      'with a byte changed': Buffer.from(before).fill(0, 5_000, 5_001),
      'with another file in its place': s3.objects.get(name.replace('log.db', 'jobs.db')),
    };
    for (const [how, content] of Object.entries(damaged)) {
      s3.objects.set(name, content ?? Buffer.alloc(0));
      const ran = await restore('none', args);
      expect({ how, ...ran }).toMatchObject({
        how,
        code: 2,
        text: expect.stringMatching(/log\.db was (cut or )?changed; nothing was changed/),
      });
    }
    s3.objects.set(name, before);
    expect(existsSync(fresh('none'))).toBe(false);
    const twoParts = await backUp();
    const mixed = await restore('none', [at, '--keys', twoParts.keys]);
    expect(mixed).toMatchObject({ code: 2, text: expect.stringMatching(/keys of another backup/) });
  }, 240_000);

  it('that begins in the second of another one has a name of its own', async () => {
    empty();
    const soon = Array.from({ length: 30 }, (_, i) =>
      new Date(Date.now() + i * 1_000).toISOString(),
    );
    const names = soon.map((at) => at.replace(/\.\d+/, '').replaceAll(':', '-'));
    for (const name of names) s3.objects.set(`backups/oja/${name}/log.db`, Buffer.from('another'));
    const { market: made } = await backUp();
    expect(names).not.toContain(made.split('/').at(-1));
  }, 240_000);

  it('keeps so many, deletes the keys with the rest, and nothing else', async () => {
    empty();
    s3.objects.set('backups/oja/notes/readme.txt', Buffer.from('mine'));
    const [first, second, third] = [await backUp(), await backUp(), await backUp()];
    const dry = await run(['backup', 'prune', ...both, '--keep', '2', '--dry-run']);
    expect(dry.text).toMatch(/^Would delete /);
    const { removed } = await json(z.object({ removed: backedUp.shape.removed }), [
      ...['backup', 'prune', ...both, '--keep', '1', '--keep-days', '1'],
      '--yes',
    ]);
    expect(removed).toEqual([]);
    const pruned = await run(['backup', 'prune', ...both, '--keep', '1', '--yes']);
    expect(pruned).toMatchObject({ code: 0 });
    const left = [...s3.objects.keys()].map((at) => `s3://${at}`);
    for (const gone of [first, second])
      for (const at of [gone.market, gone.keys])
        expect(left.filter((each) => each.startsWith(at))).toEqual([]);
    expect(left.some((at) => at.startsWith(third.keys))).toBe(true);
    expect(left).toContain('s3://backups/oja/notes/readme.txt');
    const { removed: beside } = await json(backedUp, ['backup', ...both, '--keep', '1']);
    expect(third.market.endsWith(beside[0]?.name ?? 'none')).toBe(true);
  }, 240_000);
});

describe('a backup that does not come to its end', () => {
  it('leaves nothing behind where a part cannot be sent, and says so', async () => {
    empty();
    s3.fate = (told) => (told.includes('partNumber') ? 500 : 'answered');
    const { code, text } = await run(['backup', ...both]);
    expect({ code, text }).toMatchObject({ code: 1, text: expect.stringMatching(/500.*again/) });
    expect([...s3.objects.keys()]).toEqual([]);
    expect(s3.uploads.size).toBe(0);
    expect(staged()).toEqual([]);
  }, 240_000);

  it('leaves what a later prune finds where the place of the keys fails, and deletes all of it then', async () => {
    empty();
    let isDown = false;
    s3.fate = (told) => {
      isDown ||= /^(PUT|POST) vault\/.*keys\.db/.test(told);
      return isDown && /^[A-Z]+ vault\b/.test(told) ? 500 : 'answered';
    };
    expect(await run(['backup', ...both])).toMatchObject({ code: 1 });
    s3.fate = () => 'answered';
    const [half] = await json(listed, ['backup', 'list', place]);
    expect(half).toMatchObject({ part: 'market', whole: false });
    await backUp();
    for (const [at, text] of s3.objects)
      if (at.includes(`/${half?.name}/oja-backup-begun`)) {
        const begun = { ...JSON.parse(text.toString()), at: '2026-01-31T02:00:00.000Z' };
        s3.objects.set(at, Buffer.from(JSON.stringify(begun)));
      }
    expect(await run(['backup', 'prune', ...both, '--keep', '1', '--yes'])).toMatchObject({
      code: 0,
      text: expect.stringMatching(/with its keys/),
    });
    expect([...s3.objects.keys()].filter((at) => at.includes(half?.name ?? ''))).toEqual([]);
  }, 240_000);

  it('leaves nothing behind at Ctrl-C', async () => {
    empty();
    const running = runOja(['backup', ...both], { DATA_DIR: dataDir, ...env() });
    // Parts are under way at once, and a second Ctrl-C would end the process as it stands.
    let asked = false;
    s3.fate = (told) => {
      if (!told.includes('partNumber')) return 'answered';
      if (!asked) running.process.kill('SIGINT');
      asked = true;
      return 'never';
    };
    expect(await running.exited).toBe(130);
    expect(running.lines.join('\n')).toMatch(/Stopped; what was sent is deleted/);
    expect([...s3.objects.keys()]).toEqual([]);
    expect(s3.uploads.size).toBe(0);
  }, 240_000);

  it('does not say at Ctrl-C that it deleted what it could not', async () => {
    empty();
    const running = runOja(['backup', ...both], { DATA_DIR: dataDir, ...env() });
    let asked = false;
    s3.fate = (told) => {
      if (told.startsWith('DELETE')) return 500;
      if (!told.includes('partNumber')) return 'answered';
      // A second Ctrl-C would end the process as it stands.
      if (!asked) running.process.kill('SIGINT');
      asked = true;
      return 'never';
    };
    expect(await running.exited).toBe(130);
    expect(running.lines.join('\n')).toMatch(/Stopped; .* could not be deleted/);
    s3.fate = () => 'answered';
    expect(await json(listed, ['backup', 'list', place])).toMatchObject([{ whole: false }]);
  }, 240_000);

  it('leaves nothing behind at Ctrl-C of a restore', async () => {
    empty();
    const { args } = await backUp();
    const at = fresh('stopped');
    const running = runOja(['restore', ...args], {
      ...s3.env,
      DATA_DIR: at,
      BACKUP_KEY_FILE: keyFile,
    });
    s3.fate = (told) => {
      if (told.includes('large.png')) running.process.kill('SIGINT');
      return 'answered';
    };
    expect(await running.exited).toBe(130);
    expect(running.lines.at(-1)).toMatch(/^Stopped/);
    expect(existsSync(at)).toBe(false);
  }, 240_000);

  it('is not taken for whole after a kill, and goes with the backups of its time', async () => {
    empty();
    const running = runOja(['backup', ...both], { DATA_DIR: dataDir, ...env() });
    s3.fate = (told) => {
      if (!told.includes('partNumber=2')) return 'answered';
      running.process.kill('SIGKILL');
      return 'never';
    };
    await running.exited;
    s3.fate = () => 'answered';
    expect(s3.uploads.size).toBe(1);
    expect(staged().length).toBe(1);
    const [half] = await json(listed, ['backup', 'list', place]);
    expect(half).toMatchObject({ whole: false });
    const refused = await restore('none', [`${place}/${half?.name}`, '--keys', `${vault}/x`]);
    expect(refused).toMatchObject({
      code: 2,
      text: expect.stringMatching(/is not a complete backup/),
    });

    const { removed } = await json(backedUp, ['backup', ...both, '--keep', '1']);
    // Somebody may be writing it still.
    expect(removed).toEqual([]);
    expect(staged()).toEqual([]);
    for (const [at, text] of s3.objects)
      if (at.includes(`/${half?.name}/oja-backup-begun`)) {
        const begun = { ...JSON.parse(text.toString()), at: '2026-01-31T02:00:00.000Z' };
        s3.objects.set(at, Buffer.from(JSON.stringify(begun)));
      }
    expect(await run(['backup', 'prune', ...both, '--keep', '1', '--yes'])).toMatchObject({
      code: 0,
    });
    expect([...s3.objects.keys()].filter((at) => at.includes(half?.name ?? ''))).toEqual([]);
    expect(s3.uploads.size).toBe(0);
  }, 240_000);
});

describe('an S3 that does not take it', () => {
  it.each<[string, Readonly<Record<string, string>>, string, number, RegExp]>([
    [
      'wrong secret',
      { AWS_SECRET_ACCESS_KEY: 'x' },
      place,
      78,
      /SignatureDoesNotMatch.*AWS_SECRET/,
    ],
    ['wrong key', { AWS_ACCESS_KEY_ID: 'x' }, place, 78, /InvalidAccessKeyId/],
    ['no bucket', {}, 's3://nowhere/oja', 78, /There is no bucket nowhere/],
    ['no region', { AWS_REGION: '', AWS_ENDPOINT_URL: '' }, place, 78, /Set AWS_REGION/],
    ['network gone', { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' }, place, 1, /ECONNREFUSED.*network/],
    ['no prefix', {}, 's3://backups', 2, /name a bucket and a prefix/],
    ['no recipient', { BACKUP_RECIPIENT: '' }, place, 78, /oja backup key/],
    ['a key for a recipient', { BACKUP_RECIPIENT: 'age1' }, place, 78, /BACKUP_RECIPIENT must/],
    ['another protocol', {}, 'gs://backups/oja', 2, /folders and to s3:/],
  ])('is told in a sentence: %s', async (_, others, to, code, sentence) => {
    empty();
    const told = await run(['backup', to], others);
    expect(told).toMatchObject({ code, text: expect.stringMatching(sentence) });
    expect(told.lines.length).toBe(1);
    expect([...s3.objects.keys()]).toEqual([]);
  });

  it('has another clock, which is made up for', async () => {
    s3.ahead = 60 * 60_000;
    expect(await run(['backup', ...both])).toMatchObject({ code: 0 });
  }, 120_000);
});

it('encrypts a folder where it is asked to, and restores it as any other', async () => {
  const at = fresh('encrypted');
  const { code, text } = await run(['backup', at, '--encrypt', '--json']);
  expect({ code, text }).toMatchObject({ code: 0 });
  expect(readdirSync(at)).toContain('log.db.age');
  expect(await run(['backup', at, '--encrypt'])).toMatchObject({ code: 2 });
  rmSync(fresh('none'), { recursive: true, force: true });
  expect(await restore('none', [at])).toMatchObject({ code: 0 });
  expect((await eventStats(fresh('none'))).types).toEqual((await eventStats(dataDir)).types);
  rmSync(join(at, 'log.db.age'));
  expect(await restore('none', [at, '--yes'])).toMatchObject({
    code: 2,
    text: `${at} is not a complete backup of a market: log.db is missing; nothing was changed.`,
  });
}, 120_000);
