import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Client } from '../../test/support/client.js';
import {
  freePort,
  type Market,
  openMarket,
  runOja,
  temporaryFolder,
} from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import {
  findListed,
  listBag,
  orderOf,
  pay,
  placeOrder,
  registerSeller,
  verify,
} from '../../test/thread/walk.js';
import { eventStats, oja, ojaInto, ojaJson } from './support/oja.js';
import { openTraffic } from './support/traffic.js';

const folder = temporaryFolder();
const dataDir = join(folder.path, 'data');
const backup = join(folder.path, 'backup');
const keys = join(folder.path, 'vault', 'keys');
const places = [backup, '--keys', keys];
let market: Market;
let orderKey: string;

beforeAll(async () => {
  market = await openSampleMarket(dataDir);
  const seller = await registerSeller(market.url, 'Drilled Store');
  await listBag(seller, 'Drilled bag', 4_000, ['#33a', '#aa3']);
  const shopper = new Client(market.url);
  const { result } = await seller.client.get<{ result: never[] }>(
    '/v1/products/search?query=drilled',
  );
  const placed = await placeOrder(shopper, result);
  orderKey = placed.transactionId;
  expect(await verify(shopper, await pay(placed.payAt))).toMatchObject({ ok: true });
}, 120_000);

afterAll(async () => {
  await market?.stop();
  folder.remove();
});

/** Makes a backup one whose log was copied as early as that of another backup. */
function withOlderLog(backup: string, older: string): void {
  const manifestOf = (folder: string) => join(folder, 'oja-backup.json');
  const read = (folder: string) => JSON.parse(readFileSync(manifestOf(folder), 'utf8'));
  const isLog = ({ name }: { readonly name: string }) => name === 'log.db';
  const [manifest, before] = [read(backup), read(older)];
  copyFileSync(join(older, 'log.db'), join(backup, 'log.db'));
  const files = [...manifest.files.filter((file: { name: string }) => !isLog(file))];
  files.push(before.files.find(isLog));
  writeFileSync(manifestOf(backup), JSON.stringify({ ...manifest, files, head: before.head }));
}

const login = (url: string, businessName: string) =>
  new Client(url).fetch('/v1/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ businessName, password: 'a long enough secret' }),
  });

it('a market that was lost comes back as it was: goods, people, orders, keys and pictures', async () => {
  const saved = await ojaJson<{ files: number }>(dataDir, ['backup', ...places]);
  expect(saved.files).toBeGreaterThan(6);
  expect(readdirSync(backup)).not.toContain('keys.db');
  expect(readdirSync(keys).sort()).toEqual(['keys.db', 'oja-backup.json', 'secrets.json']);
  const then = await eventStats(dataDir);

  // What happens after a backup is lost with it.
  await registerSeller(market.url, 'Too Late Store');
  expect(await market.stop()).toBe(0);

  const restored = join(folder.path, 'restored');
  expect(await oja(restored, ['restore', ...places])).toMatchObject({ code: 0 });
  expect((await eventStats(restored)).types).toEqual(then.types);
  market = await openMarket(restored);
  const shopper = new Client(market.url);
  expect(await orderOf(shopper, orderKey)).toMatchObject({ recieved: 'PENDING' });
  const welcome = await login(market.url, 'Drilled Store');
  expect(welcome.status).toBe(200);
  expect(JSON.parse(welcome.text)).toMatchObject({ userDetails: { name: 'Ada Obi' } });
  expect((await login(market.url, 'Too Late Store')).status).toBe(401);
  const { result } = await shopper.get<{ result: { image_urls: string[] }[] }>(
    '/v1/products/search?query=drilled',
  );
  const picture = result[0]?.image_urls[0] ?? '';
  expect((await shopper.fetch(picture)).status).toBe(200);
  expect(await oja(restored, ['verify'])).toMatchObject({ code: 0 });
}, 240_000);

it('writes nothing but what a market has, whatever its manifest names', async () => {
  const forged = join(folder.path, 'forged');
  const outside = join(folder.path, 'outside.txt');
  const link = 'pictures/originals/link.png';
  writeFileSync(outside, 'somebody else’s');
  const text = 'planted';
  const sha256 = createHash('sha256').update(text).digest('hex');
  const linked = createHash('sha256').update(readFileSync(outside)).digest('hex');
  const names = [
    '../outside.txt',
    'pictures/../../outside.txt',
    'pictures/originals/../../log.db-wal',
    outside,
    'start.lock',
    'keys.db',
    'secrets.json',
    'mail/letter.eml',
    'pictures/originals/.hidden.png',
    'pictures/originals/page.html',
    link,
  ];
  for (const name of names) {
    rmSync(forged, { recursive: true, force: true });
    cpSync(backup, forged, { recursive: true });
    const manifest = JSON.parse(readFileSync(join(forged, 'oja-backup.json'), 'utf8'));
    if (name === link) symlinkSync(outside, join(forged, link));
    else if (!existsSync(join(forged, name))) {
      mkdirSync(dirname(join(forged, name)), { recursive: true });
      writeFileSync(join(forged, name), text);
    }
    const wanted = { name, bytes: text.length, sha256: name === link ? linked : sha256 };
    manifest.files.push(wanted);
    writeFileSync(join(forged, 'oja-backup.json'), JSON.stringify(manifest));
    const target = join(folder.path, 'target');
    const ran = await oja(target, ['restore', forged, '--keys', keys, '--yes']);
    expect({ name, code: ran.code, text: ran.text }).toMatchObject({
      code: 2,
      text: expect.stringMatching(/is not a complete backup of a market.*nothing was changed/),
    });
    expect(existsSync(target)).toBe(false);
    expect(readFileSync(outside, 'utf8')).toBe('somebody else’s');
  }
}, 240_000);

it('is nobody else’s to read, in its folder, its backup and what is restored, whatever the umask', async () => {
  const open = join(folder.path, 'open');
  const before = process.umask(0);
  try {
    const copy = [join(open, 'copy'), '--keys', join(open, 'keys')];
    expect(await oja(join(folder.path, 'restored'), ['backup', ...copy])).toMatchObject({
      code: 0,
    });
    for (const each of ['copy', 'keys']) chmodSync(join(open, each), 0o755);
    for (const name of readdirSync(join(open, 'copy'))) chmodSync(join(open, 'copy', name), 0o777);
    expect(await oja(join(open, 'back'), ['restore', ...copy])).toMatchObject({ code: 0 });
  } finally {
    process.umask(before);
  }
  for (const place of [join(folder.path, 'restored'), join(open, 'back'), join(open, 'keys')])
    for (const entry of readdirSync(place, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      expect([path, statSync(path).mode & 0o077]).toEqual([path, 0]);
    }
  expect(statSync(join(open, 'back')).mode & 0o777).toBe(0o700);
}, 240_000);

it.each([
  ['where the system makes no folders', '/proc/oja-backup', 'ENOENT'],
  ['below a file', join(import.meta.filename, 'backup'), 'ENOTDIR'],
])('is refused a place %s, with what to do', async (_, place, why) => {
  const refused = await oja(join(folder.path, 'restored'), ['backup', place]);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.text).toContain(`${place} cannot be made (${why}): name another folder.`);
});

it('is refused where the keys would lie within the rest, or the rest within them, and leaves nothing', async () => {
  const place = join(folder.path, 'together');
  for (const [one, other] of [
    [place, join(place, 'k')],
    [join(place, 'k'), place],
    [place, place],
  ] as const) {
    const refused = await oja(join(folder.path, 'restored'), ['backup', one, '--keys', other]);
    expect(refused).toMatchObject({ code: 2, text: expect.stringMatching(/in another place/) });
  }
  const unmade = join(folder.path, 'unmade', 'deep');
  const refused = ['backup', unmade, '--keys', '/proc/oja-keys'];
  expect(await oja(join(folder.path, 'restored'), refused)).toMatchObject({ code: 2 });
  for (const made of [place, join(folder.path, 'unmade')]) expect(existsSync(made)).toBe(false);
});

it.each(['notes', 'pictures-of-mine/a.jpg', 'log.db'])(
  'leaves a folder that holds something else (%s) as it is, and open to whom it was',
  async (name) => {
    const shared = join(folder.path, `shared-${dirname(name)}-${basename(name)}`);
    mkdirSync(join(shared, dirname(name)), { recursive: true });
    writeFileSync(join(shared, name), 'somebody else’s');
    chmodSync(shared, 0o755);
    const refused = {
      code: 2,
      lines: [expect.stringContaining(`${shared} holds something else (`)],
    };
    for (const args of [[shared], [join(folder.path, 'unmade'), '--keys', shared]]) {
      const ran = await oja(join(folder.path, 'restored'), ['backup', ...args]);
      expect(ran, args.join(' ')).toMatchObject(refused);
    }
    expect(readFileSync(join(shared, name), 'utf8')).toBe('somebody else’s');
    expect(statSync(shared).mode & 0o777).toBe(0o755);
    expect(existsSync(join(folder.path, 'unmade'))).toBe(false);
  },
);

it('is neither made in a file nor looked for there', async () => {
  const file = import.meta.filename;
  const at = (...args: string[]) => oja(join(folder.path, 'restored'), [...args, file]);
  const noFolder = { code: 2, lines: [`${file} is not a folder: name another.`] };
  for (const args of [['backup'], ['backup', 'list'], ['backup', 'prune', '--keep', '1']])
    expect(await at(...args), args.join(' ')).toMatchObject(noFolder);
  const restored = await oja(join(folder.path, 'nowhere'), ['restore', file, '--yes']);
  expect(restored).toMatchObject({
    code: 2,
    lines: [
      expect.stringMatching(/is not a complete backup of a market: oja-backup.json is missing/),
    ],
  });
});

it('is not restored over a market that runs, nor without being told to', async () => {
  const running = await oja(join(folder.path, 'restored'), ['restore', ...places, '--yes']);
  expect(running).toMatchObject({ code: 78 });
  expect(running.text).toMatch(
    /A market runs on the folder .* already \(process \d+\): stop it first/,
  );
  const unsure = await oja(dataDir, ['restore', ...places]);
  expect(unsure).toMatchObject({ code: 2 });
  expect(unsure.text).toMatch(/nothing was changed/);
});

it('does not bring back who was erased since, nor models of what has not happened', async () => {
  const contact = await fetch(`${market.url}/v1/email/sendEmail`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'Zainab of the backup',
      email: 'zainab@backup.example',
      subject: 'Forget me',
      message: 'As soon as you can, please.',
    }),
  });
  expect(contact.ok).toBe(true);
  const home = join(folder.path, 'restored');
  const events = (await oja(home, ['events', 'tail', '--json'])).lines.map((l) => JSON.parse(l));
  const id: string = events.find(({ type }) => type === 'ContactMessageReceived').data.contactId;
  const again = [join(folder.path, 'again')];
  expect(await oja(home, ['backup', ...again])).toMatchObject({ code: 0 });
  expect(await oja(home, ['erase', '--contact', id, '--yes'])).toMatchObject({ code: 0 });
  expect(await market.stop()).toBe(0);

  const back = await ojaJson<{ erasedAgain: number }>(home, ['restore', ...again, '--yes']);
  expect(back).toMatchObject({ erasedAgain: 1 });
  const types = (await oja(home, ['events', 'tail', '--json'])).lines.map((l) => JSON.parse(l));
  expect(types.at(-1)).toMatchObject({
    type: 'SubjectErased',
    data: { subject: `contact:${id}` },
  });
  market = await openMarket(home);
  expect(await oja(home, ['verify'])).toMatchObject({ code: 0 });
  const proof = await ojaJson<object>(home, ['erase', '--contact', id, '--yes']);
  expect(proof).toMatchObject({ keyDestroyed: true, readable: 0 });
}, 240_000);

it('brings back no account of a seller who was erased since: no password, no session, no goods, no name', async () => {
  const home = market.dataDir;
  const seller = await registerSeller(market.url, 'Unreturned Store');
  const sold = await listBag(seller, 'Unreturned bag', 6_000, ['#3a3', '#a3a']);
  await listBag(seller, 'Unreturned purse', 6_000, ['#3aa', '#aa3']);
  await seller.client.call(200, 'DELETE', `/v1/product/${sold}`);
  const shopper = new Client(market.url);
  const [bag] = await findListed(shopper, 'unreturned', 1);
  expect(await oja(home, ['admin', 'grant', 'Unreturned Store'])).toMatchObject({ code: 0 });
  const before = [join(folder.path, 'before-the-seller-went')];
  expect(await oja(home, ['backup', ...before])).toMatchObject({ code: 0 });
  await registerSeller(market.url, 'Unsaved Store');
  for (const name of ['Unreturned Store', 'Unsaved Store'])
    expect(await oja(home, ['erase', '--seller', name, '--yes'])).toMatchObject({ code: 0 });
  expect(await market.stop()).toBe(0);

  const back = await ojaJson<object>(home, ['restore', ...before, '--yes']);
  expect(back).toMatchObject({ erasedAgain: 2 });
  market = await openMarket(home);
  expect((await login(market.url, 'Unreturned Store')).status).toBe(401);
  const returned = new Client(market.url);
  returned.token = seller.client.token;
  expect((await returned.fetch('/v1/user/products')).status).toBe(401);
  await expect(placeOrder(new Client(market.url), bag === undefined ? [] : [bag])).rejects.toThrow(
    /initialize: 409/,
  );
  const { details } = await registerSeller(market.url, 'Unreturned Store');
  expect(details.user_id).not.toBe(seller.details.user_id);
  await findListed(new Client(market.url), 'unreturned', 0);
  const revoked = await ojaJson<object>(home, ['admin', 'revoke', seller.details.user_id]);
  expect(revoked).toMatchObject({ changed: false });
  expect(await oja(home, ['verify'])).toMatchObject({ code: 0 });
}, 240_000);

it('knows models of what has not happened though people are erased again in their place', async () => {
  const home = market.dataDir;
  const write = async (name: string) => {
    const sent = await fetch(`${market.url}/v1/email/sendEmail`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        name,
        email: `${name}@backup.example`,
        subject: 'Hello',
        message: 'As it was, please.',
      }),
    });
    expect(sent.ok).toBe(true);
  };
  await write('first');
  await write('second');
  const early = join(folder.path, 'early');
  expect(await oja(home, ['backup', early])).toMatchObject({ code: 0 });
  // What happens between the copy of the log and that of the models, while the market sells.
  await write('third');
  const contacts = (await oja(home, ['events', 'tail', '--json'])).lines
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === 'ContactMessageReceived')
    .map(({ data }): string => data.contactId);
  expect(await oja(home, ['verify', 'obligations'])).toMatchObject({ code: 0 });
  const mixed = join(folder.path, 'mixed');
  expect(await oja(home, ['backup', mixed])).toMatchObject({ code: 0 });
  withOlderLog(mixed, early);
  for (const id of contacts.slice(-3, -1))
    expect(await oja(home, ['erase', '--contact', id, '--yes'])).toMatchObject({ code: 0 });
  expect(await market.stop()).toBe(0);

  const back = await ojaJson<object>(home, ['restore', mixed, '--yes']);
  expect(back).toMatchObject({ erasedAgain: 2, modelsLeftOut: true });
  market = await openMarket(home);
  expect(await oja(home, ['verify'])).toMatchObject({ code: 0 });
}, 240_000);

it('copies read models that follow the copied log, while the market sells', async () => {
  const traffic = await openTraffic(market.url);
  const selling = join(folder.path, 'selling');
  for (const round of ['one', 'two', 'three']) {
    const into = join(selling, round);
    expect(await oja(market.dataDir, ['backup', into])).toMatchObject({ code: 0 });
    const { at } = JSON.parse(readFileSync(join(into, 'oja-backup.json'), 'utf8'));
    expect(Date.parse(at)).toBeLessThanOrEqual(statSync(join(into, 'log.db')).mtimeMs);
    const back = join(selling, `${round}-back`);
    const restored = await ojaJson<object>(back, ['restore', into]);
    expect(restored).toMatchObject({ modelsLeftOut: false, at });
  }
  await traffic.stop();
  expect(await oja(join(selling, 'three-back'), ['verify'])).toMatchObject({ code: 0 });
}, 240_000);

it('opens nothing half restored, and finishes it when it is run again', async () => {
  const half = join(folder.path, 'half');
  const killed = runOja(['restore', ...places], { DATA_DIR: half });
  await vi.waitUntil(() => existsSync(join(half, 'restoring.json')), {
    timeout: 60_000,
    interval: 1,
  });
  killed.process.kill('SIGKILL');
  await killed.exited;
  // A kill while the files are being replaced leaves a folder without a log.
  rmSync(join(half, 'log.db'), { force: true });
  for (const command of ['start', 'status'])
    expect(await oja(half, [command], { PORT: `${await freePort()}` })).toEqual({
      code: 78,
      lines: [`A restore into ${half} was begun and not finished: run the same oja restore again.`],
      text: expect.anything(),
    });
  expect(await oja(half, ['restore', ...places])).toMatchObject({ code: 0 });
  expect(await oja(half, ['verify'])).toMatchObject({ code: 0 });
}, 120_000);

it('refuses a backup that was damaged, and keys of another one', async () => {
  const empty = join(folder.path, 'empty');
  const mixed = await oja(empty, [
    'restore',
    backup,
    '--keys',
    `${join(folder.path, 'again')}-keys`,
  ]);
  expect(mixed).toMatchObject({ code: 2 });
  expect(mixed.text).toMatch(/the keys of another backup/);
  appendFileSync(join(backup, 'state.db'), 'x');
  const damaged = await oja(empty, ['restore', ...places]);
  expect(damaged).toMatchObject({ code: 2 });
  expect(damaged.text).toMatch(/state\.db was changed; nothing was changed/);
  expect(existsSync(empty)).toBe(false);
});

it('says which copy could not be written where its disk fails', async () => {
  const place = join(folder.path, 'limited');
  // A limit for the size of a file: to the database it is an error of the disk.
  const ran = await ojaInto(dataDir, ['backup', place], '', 'ulimit -f 100; ');
  expect(ran).toMatchObject({
    code: 1,
    text: expect.stringMatching(/documents\.db cannot be written \(disk I\/O error\): see/),
  });
}, 60_000);
