import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { oja, ojaJson } from './support/oja.js';
import { useSampleMarket } from './support/sample.js';

const market = useSampleMarket();

it('shows the settings, and no secret', async () => {
  const settings = await ojaJson<Record<string, string>>(market.dataDir, ['config']);
  expect(settings).toMatchObject({ DATA_DIR: market.dataDir, TOKEN_SECRET: '(set, hidden)' });
  const { text } = await oja(market.dataDir, ['config']);
  expect(text).not.toMatch(/sk_test_|[0-9a-f]{64}/);
  const wrong = await oja(market.dataDir, ['config'], { PAYOUTS: 'perhaps' });
  expect(wrong).toMatchObject({ code: 78, lines: [expect.stringMatching(/PAYOUTS must be/)] });
});

it('shows the settings of a deployment that has not been started yet, and makes nothing of it', async () => {
  const dataDir = join(market.dataDir, 'not-yet');
  const deployment = {
    PUBLIC_URL: 'https://market.example',
    PAYSTACK_SECRET: 'sk_live_abc',
    TOKEN_SECRET: 't'.repeat(32),
    KEYS_MASTER_KEY: 'ab'.repeat(32),
    // Nobody answers there: the settings are shown all the same.
    MONGODB_URL: 'mongodb://127.0.0.1:1/oja',
  };
  const { code, text } = await oja(dataDir, ['config', '--json'], deployment);
  expect(code).toBe(0);
  expect(JSON.parse(text)).toMatchObject({
    ...{ DATA_DIR: dataDir, OJA_DEMO: 'off' },
    PAYSTACK_SECRET: '(set, hidden)',
  });
  expect(existsSync(dataDir)).toBe(false);

  const staging = await oja(dataDir, ['config', '--json'], {
    ...deployment,
    PAYSTACK_SECRET: 'sk_test_abc',
  });
  expect(JSON.parse(staging.text).PAYSTACK_SECRET).toBe(
    '(set, hidden: a test key, which takes no real money)',
  );
});

it('shows the settings of a demo on servers before its first start, and makes and opens nothing', async () => {
  const dataDir = join(market.dataDir, 'no-demo-yet');
  const demo = {
    OJA_DEMO: '1',
    EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
  };
  const { code, text } = await oja(dataDir, ['config', '--json'], demo);
  expect([code, text]).toEqual([0, expect.stringMatching(/^\{/)]);
  const made = '(made at the first start)';
  expect(JSON.parse(text)).toMatchObject({
    EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
    PAYSTACK_URL: '(the sandbox that Oja ships)',
    ...{ TOKEN_SECRET: made, KEYS_MASTER_KEY: made, PAYSTACK_SECRET: made },
    ...{ VAPID_PUBLIC: made, VAPID_PRIVATE: made },
  });
  const given = await oja(dataDir, ['config', '--json'], {
    ...demo,
    TOKEN_SECRET: 't'.repeat(32),
    KEYS_MASTER_KEY: 'ab'.repeat(32),
  });
  expect(JSON.parse(given.text)).toMatchObject({
    TOKEN_SECRET: '(set, hidden)',
    PAYSTACK_SECRET: made,
  });
  expect(existsSync(dataDir)).toBe(false);
});

it('says how many keys a rotation would wrap while the market runs', async () => {
  const planned = await oja(market.dataDir, ['keys', 'rotate', '--dry-run']);
  expect(planned).toMatchObject({ code: 0, text: expect.stringMatching(/would be rewrapped/) });
});

it('says that a file is no folder, to whomever', async () => {
  const file = import.meta.filename;
  expect(await oja(file, ['status'])).toMatchObject({
    code: 78,
    text: `${file} is a file, not a folder: name the folder.`,
  });
});

it.each([
  ['before a command', (dir: string) => ['--data-dir', dir, 'config', '--json']],
  ['after it', (dir: string) => ['config', '--json', `--data-dir=${dir}`]],
  ['between two words', (dir: string) => ['events', '--data-dir', dir, 'stats', '--json']],
])('takes the folder %s, and that wins over DATA_DIR', async (_, args) => {
  const nowhere = join(market.dataDir, 'nowhere');
  const { code, text } = await oja(nowhere, args(market.dataDir));
  expect(code).toBe(0);
  const told = JSON.parse(text) as { readonly DATA_DIR?: string; readonly events?: number };
  expect(told.DATA_DIR ?? market.dataDir).toBe(market.dataDir);
  expect(told.events ?? 1).toBeGreaterThan(0);
  const other = await oja(market.dataDir, args(nowhere));
  expect(other.code).toBe(78);
  expect(other.text).toContain(`There is no market in ${nowhere} yet`);
});

it('says where no market is, and makes none', async () => {
  const nowhere = join(market.dataDir, 'nowhere');
  for (const command of ['status', 'verify', 'config']) {
    const { code, lines } = await oja(nowhere, [command]);
    expect({ code, lines }).toEqual({ code: 78, lines: [expect.stringMatching(/no market in/)] });
  }
});

it('tells a program in JSON why it failed', async () => {
  for (const args of [['replay', 'nonsense'], ['status', '--nonsense'], ['nonsense']]) {
    const { code, lines } = await oja(market.dataDir, [...args, '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(lines[0] ?? '')).toEqual({ error: expect.any(String), exitCode: 2 });
  }
});

it.each([
  [['sttaus'], /no command 'sttaus'; the nearest is status/],
  [['events', 'tial'], /no command 'events tial'; the nearest is tail/],
  [['events', 'tail', '-n', 'many'], /It must be a whole number/],
  [
    ['top', '--once', '--interval', '9999999'],
    /It must be a whole number of seconds from 1 to 86400/,
  ],
  [['status', '--interval', '10'], /--interval is between two refreshes of --watch/],
  [['quarantine', 'shwo'], /command 'shwo'; the nearest is show/],
  [['start', 'projectr'], /no service 'projectr'; the nearest is projector/],
  [['admin', 'grant', 'Aduni'], /no seller 'Aduni'; the nearest is Adunni Textiles/],
  [['events', 'show', 'product-nothing'], /no stream 'product-nothing'\.$/],
  [['status', '--data-dir', ''], /It must be a folder/],
  [['status', '--data-dir'], /argument missing/],
  [['backup', '/nowhere/else', '--keys', ''], /The value of --keys is empty/],
  [['backup', 'key', '/nowhere/else/key'], /^\/nowhere\/else\/key cannot be created \(ENOENT\): /],
  [['erase', '--transaction', 'a', '--transaction', 'b'], /--transaction takes one value: give it/],
  [['events', 'stats', 'product'], /Too many arguments for 'stats'/],
  [['backup', 'list', ''], /The value of <place> is empty/],
  [['verify', 'ledger', ' '], /The value of <projection> is empty/],
  [['export', ''], /The value of <file> is empty/],
  [['logs', '--request', ''], /The value of --request is empty/],
  [['events', '--after=-1'], /must be a position, the number printed before each event/],
  [['events', '--after', '1.5'], /must be a position/],
  [['events', '--after', '0x1f'], /must be a position/],
  [['events', '--after', ''], /must be a position/],
  [['events', '--after', '1'.repeat(21)], /must be a position/],
  [['events', '--after', '9'.repeat(20)], /The log ends at position \d+; there is no 9{20} yet/],
  [['events', '--after', 'noon'], /must be a position, the number printed before each event/],
  [['events', '--after', '99999999999'], /The log ends at position \d+; there is no 99999999999/],
  [['events', '--follow'], /where to start: --after <position>/],
  [['events', '--correlation', 'nothing'], /no event with the correlation 'nothing'/],
  [['dispute', 'settle', 'nothing', '--seller', 'x', '--release'], /no transaction 'nothing'\.$/],
  [['payouts', 'mark-paid', 'nothing', '--seller', 'x'], /no transaction 'nothing'\.$/],
])('answers %j with one sentence and exit 2', async (args, sentence) => {
  const { code, lines } = await oja(market.dataDir, [...args]);
  expect(code).toBe(2);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(sentence);
});
