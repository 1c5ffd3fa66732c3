import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';

const OJA = join(import.meta.dirname, '../bin/oja.js');
/** 'nobody' on every Linux. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

const { path: dataDir, remove } = temporaryFolder();
afterAll(remove);
const elsewhere = temporaryFolder();
afterAll(() => elsewhere.remove());
const at = (name: string) => join(dataDir, name);
let port: number;

beforeAll(async () => {
  const market = await openSampleMarket(dataDir);
  port = market.port;
  expect(await market.stop()).toBe(0);
  if (!isRoot) return;
  for (const name of [
    '.',
    ...readdirSync(dataDir),
    ...readdirSync(at('logs')).map((log) => `logs/${log}`),
  ])
    chownSync(at(name), NOBODY, NOBODY);
}, 60_000);

/** A command of the market's user, who has no right to files of mode 0. */
function oja(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [OJA, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: `${port}` },
    // Root may read everything, so it becomes somebody else.
    ...(isRoot && { uid: NOBODY }),
  });
  return { code: status, told: stdout, complains: stderr };
}

/** Makes it another's for as long as `work` takes: for instance of root, who has restored a backup. */
function asAnothers(name: string, work: () => void): void {
  chmodSync(at(name), 0);
  if (isRoot) chownSync(at(name), 0, 0);
  try {
    work();
  } finally {
    chmodSync(at(name), 0o600);
    if (isRoot) chownSync(at(name), NOBODY, NOBODY);
  }
}

it.each(['oja-data.json', 'secrets.json', 'log.db'])(
  'a market whose %s is another user’s says so, and what to do',
  (name) =>
    asAnothers(name, () => {
      for (const command of [['start'], ['start', '--plan'], ['status'], ['payouts', 'list']])
        expect({ command, ...oja(...command) }).toEqual({
          command,
          code: 78,
          told: '',
          complains: `You may not read and write ${at(name)}: run Oja as the user whom it belongs to, or give everything in ${dataDir} to one user (chown -R).\n`,
        });
    }),
  60_000,
);

it('the status does without a log that is another user’s', () => {
  mkdirSync(at('logs'), { recursive: true });
  writeFileSync(at('logs/cli.log'), '');
  asAnothers('logs/cli.log', () =>
    expect(oja('status')).toEqual({
      code: 0,
      told: expect.stringMatching(/^last error: none$/m),
      complains: '',
    }),
  );
});

it('nobody is erased while something cannot be searched for them: it is named, with what to do', () => {
  const { ids } = JSON.parse(oja('remove-delivered', '--dry-run', '--json').told);
  const erase = ['erase', '--transaction', ids[0], '--yes'];
  mkdirSync(at('lost+found'), { mode: isRoot ? 0o700 : 0 });
  mkdirSync(at('logs'), { recursive: true });
  writeFileSync(at('logs/cli.log'), '');
  asAnothers('logs/cli.log', () =>
    expect(oja(...erase)).toEqual({
      code: 78,
      told: '',
      complains: `Nobody can be searched for in ${at('logs/cli.log')}, ${at('lost+found')}, which you may not read: run Oja as the user whom it belongs to, or give everything in ${dataDir} to one user (chown -R); nothing was changed.\n`,
    }),
  );
  rmdirSync(at('lost+found'));
  const { code, told } = oja(...erase, '--json');
  expect(code).toBe(0);
  expect(JSON.parse(told)).toMatchObject({ ok: true, readable: 0, found: [], unsearched: [] });
  expect(JSON.parse(told).searchedFor).toContain('email');
}, 60_000);

it('what may not be read is named, with what to do', () => {
  const closed = join(elsewhere.path, 'closed');
  mkdirSync(closed, { mode: 0o700 });
  chmodSync(elsewhere.path, 0o755);
  chmodSync(closed, isRoot ? 0o700 : 0);
  const inside = join(closed, 'x');
  for (const command of [
    ['import', inside],
    ['move', 'in', inside],
    ['restore', inside],
    ['drill', '--from', inside],
    ['backup', 'list', closed],
  ]) {
    const { code, told, complains } = oja(...command);
    expect(code, command.join(' ')).not.toBe(0);
    expect(told + complains, command.join(' ')).toMatch(
      /You may not (use|look into) .*closed.*: run the command as /,
    );
  }
  chmodSync(closed, 0o700);
}, 60_000);
