import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/market.js';
import { oja } from './support/oja.js';

const folder = temporaryFolder();
const dataDir = join(folder.path, 'data');
const one = join(folder.path, 'one');
const two = join(folder.path, 'two');

/** A copy of the sample market, which nobody has opened. */
function copyTo(to: string): string {
  const from = process.env.OJA_SAMPLE_MARKET ?? '';
  cpSync(from, to, {
    recursive: true,
    filter: (path) => !path.slice(from.length).startsWith('/start.lock'),
  });
  return to;
}

beforeAll(async () => {
  copyTo(dataDir);
  for (const to of [one, two])
    expect(await oja(dataDir, ['backup', to])).toMatchObject({ code: 0 });
}, 60_000);

afterAll(() => folder.remove());

it('is refused without the secrets of a market that is no demo, before anything is replaced', async () => {
  // Outside a demo, the operator keeps the secrets, and no backup has them.
  const market = copyTo(join(folder.path, 'no-demo'));
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
