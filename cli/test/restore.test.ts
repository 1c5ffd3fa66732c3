import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runOja, temporaryFolder } from '../../test/support/market.js';
import { copySampleMarket } from '../../test/support/sample-market.js';
import { oja, ojaJson } from './support/oja.js';
import { mounts } from './support/small-disk.js';

const folder = temporaryFolder();
const dataDir = join(folder.path, 'data');
const one = join(folder.path, 'one');
const two = join(folder.path, 'two');

beforeAll(async () => {
  copySampleMarket(dataDir);
  for (const to of [one, two])
    expect(await oja(dataDir, ['backup', to])).toMatchObject({ code: 0 });
}, 60_000);

afterAll(() => folder.remove());

it('is refused without the secrets of a market that is no demo, before anything is replaced', async () => {
  // Outside a demo, the operator keeps the secrets, and no backup has them.
  const market = copySampleMarket(join(folder.path, 'no-demo'));
  const keys = join(folder.path, 'no-demo-keys');
  cpSync(`${one}-keys`, keys, { recursive: true });
  const secrets = JSON.parse(readFileSync(join(keys, 'secrets.json'), 'utf8'));
  for (const place of [market, keys]) rmSync(join(place, 'secrets.json'));
  const manifest = JSON.parse(readFileSync(join(keys, 'oja-backup.json'), 'utf8'));
  manifest.files = manifest.files.filter(({ name }: { name: string }) => name !== 'secrets.json');
  writeFileSync(join(keys, 'oja-backup.json'), JSON.stringify(manifest));
  const restoring = ['restore', one, '--keys', keys, '--yes'];
  const given = { TOKEN_SECRET: secrets.tokenSecret, KEYS_MASTER_KEY: secrets.keysMasterKey };
  const { mtimeMs } = statSync(join(market, 'log.db'));

  for (const env of [{}, { KEYS_MASTER_KEY: secrets.keysMasterKey }]) {
    expect(await oja(market, restoring, env)).toMatchObject({
      code: 78,
      text: expect.stringMatching(
        /^This backup is of a market that is no demo: .*TOKEN_SECRET and KEYS_MASTER_KEY.*nothing was changed\.$/,
      ),
    });
    expect(statSync(join(market, 'log.db'))).toMatchObject({ mtimeMs });
    expect(readdirSync(market)).not.toContain('restoring.json');
  }
  expect(await oja(market, restoring, given)).toMatchObject({ code: 0 });
  expect(await oja(market, ['verify', 'ledger'], given)).toMatchObject({ code: 0 });
}, 60_000);

it.skipIf(!mounts)('is refused where there is no room for it, before anything is deleted', () => {
  const disk = join(folder.path, 'disk');
  mkdirSync(disk);
  // Without its read models a market is small; the backup has them.
  const small = copySampleMarket(join(folder.path, 'small'));
  rmSync(join(small, 'documents.db'));
  const script = `mount -t tmpfs -o size=4m none "$0" && cp -r "$1" "$0/data" &&
    "$2" "$3" restore "$4" --yes; code=$?; ls "$0/data"; exit $code`;
  const bin = join(import.meta.dirname, '../bin/oja.js');
  const refused = spawnSync(
    'unshare',
    [
      ...['--user', '--map-root-user', '--mount', 'sh', '-c', script],
      ...[disk, small, process.execPath, bin, one],
    ],
    { encoding: 'utf8', env: { PATH: process.env.PATH, DATA_DIR: join(disk, 'data') } },
  );
  expect(refused).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^The restore takes about .* MB in .*, and .* MB are free: make room first\. Nothing was changed\.$/m,
    ),
  });
  const left = refused.stdout.split('\n');
  for (const name of ['log.db', 'state.db', 'keys.db']) expect(left).toContain(name);
  expect(left).not.toContain('restoring.json');
});

it('leaves the pictures of the backup and no others, also where it was killed meanwhile', async () => {
  const market = copySampleMarket(join(folder.path, 'pictures'));
  const put = (name: string, content = name) => {
    const path = join(market, 'pictures', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  const left = () =>
    readdirSync(join(market, 'pictures'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      .sort();
  for (const name of ['originals/bag.jpg', 'w480/bag.jpg.webp', 'originals/shoe.jpg']) put(name);
  const shown = left();
  const backup = join(folder.path, 'with-pictures');
  expect(await oja(market, ['backup', backup])).toMatchObject({ code: 0 });
  const later = ['originals/later.jpg', 'w480/later.jpg.webp'];
  for (const name of later) put(name);
  put('originals/bag.jpg', 'another');
  rmSync(join(market, 'pictures/originals/shoe.jpg'));
  const before = left();

  // Refused, it changes nothing.
  expect(await oja(market, ['restore', backup])).toMatchObject({ code: 2 });
  const keys = readFileSync(`${backup}-keys/keys.db`);
  writeFileSync(`${backup}-keys/keys.db`, 'damaged');
  expect(await oja(market, ['restore', backup, '--yes'])).toMatchObject({ code: 2 });
  writeFileSync(`${backup}-keys/keys.db`, keys);
  expect(left()).toEqual(before);

  const killed = runOja(['restore', backup, '--yes'], { DATA_DIR: market });
  await vi.waitUntil(() => !existsSync(join(market, 'pictures/originals/later.jpg')), {
    timeout: 30_000,
    interval: 1,
  });
  killed.process.kill('SIGKILL');
  await killed.exited;
  put('w480/later.jpg.webp');
  expect(await oja(market, ['restore', backup, '--yes'])).toMatchObject({ code: 0 });
  expect(left()).toEqual(shown);
  expect(readFileSync(join(market, 'pictures/originals/bag.jpg'), 'utf8')).toBe(
    'originals/bag.jpg',
  );
}, 120_000);

it('takes the place of a restore that was not finished when it is told to, and brings back nobody', async () => {
  const market = copySampleMarket(join(folder.path, 'half'));
  const { lines } = await oja(market, ['events', 'tail', '-n', '1000', '--json']);
  const events = lines.map((line) => JSON.parse(line));
  const { transactionId } = events.find(({ type }) => type === 'OrderExpired').data;
  expect(await oja(market, ['erase', '--transaction', transactionId, '--yes'])).toMatchObject({
    code: 0,
  });
  const killed = runOja(['restore', one, '--yes'], { DATA_DIR: market });
  await vi.waitUntil(() => existsSync(join(market, 'restoring.json')), {
    timeout: 60_000,
    interval: 1,
  });
  killed.process.kill('SIGKILL');
  await killed.exited;

  expect(await oja(market, ['restore', two])).toMatchObject({
    code: 2,
    text: expect.stringMatching(/of another backup .* was not finished.* --yes/),
  });
  expect(await ojaJson(market, ['restore', two, '--yes'])).toMatchObject({ erasedAgain: 1 });
  expect(await oja(market, ['verify'])).toMatchObject({ code: 0 });
}, 120_000);
