import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, expect, it, vi } from 'vitest';
import { withCorrelation } from './correlation.js';
import { createLateLogger } from './late-logger.js';
import { createLogger } from './logger.js';

const folder = mkdtempSync(join(tmpdir(), 'oja-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['a logger', createLogger],
  ['one that opens late', createLateLogger],
])(
  '%s writes lines with the service, the level, the correlation id and no secrets',
  async (name, open) => {
    const file = join(folder, name, 'oja.log');
    const logger = open({ level: 'info', service: 'query-service', file });
    logger.debug({}, 'not written');
    await withCorrelation('c-1', async () => {
      await Promise.resolve();
      logger.child({ projection: 'sellers', email: 'ada@example.com' }).warn({ lag: 3 }, 'behind');
    });
    logger.error({ err: new Error('token eyJa.eyJb.c') }, 'failed for ada@example.com');
    await logger.close();

    const text = readFileSync(file, 'utf8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      {
        level: 'warn',
        service: 'query-service',
        correlationId: 'c-1',
        projection: 'sellers',
        email: '[redacted]',
        lag: 3,
        msg: 'behind',
      },
      {
        level: 'error',
        err: { type: 'Error', message: 'token [token]' },
        msg: 'failed for [e-mail]',
      },
    ]);
    expect(lines[1]).not.toHaveProperty('correlationId');
  },
);

/** The `line` field of each log line of a file. */
const linesOf = (file: string): number[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => Number(JSON.parse(text).line));

it('opens its file late at the first line that is grave enough, and closes without one', async () => {
  const file = join(folder, 'late', 'oja.log');
  const quiet = createLateLogger({ level: 'warn', service: 'cli', file });
  quiet.info({}, 'not written');
  quiet.child({ order: 'o1' }).debug({}, 'not written');
  await quiet.close();
  expect(existsSync(file)).toBe(false);

  const nowhere = createLateLogger({ level: 'warn', service: 'cli', file: '/dev/null/oja.log' });
  nowhere.error({}, 'lost');
  await nowhere.close();
});

it('a file that has become large is put aside, five at most, and no line between them is lost', async () => {
  const own = join(folder, 'large');
  const file = join(own, 'oja.log');
  const logger = createLogger({ level: 'info', service: 'market', file, mostBytes: 4_000 });
  const oldest = join(own, 'oja.log.5');
  let count = 0;
  while (!existsSync(oldest) || linesOf(oldest)[0] === 0) {
    logger.info({ line: count }, 'a line');
    count += 1;
    await turn();
  }
  await logger.close();
  const kept = ['oja.log.5', 'oja.log.4', 'oja.log.3', 'oja.log.2', 'oja.log.1'];
  // The last line may have filled its file just before the end; then no new file was begun.
  if (existsSync(file)) kept.push('oja.log');
  expect(readdirSync(own).sort()).toEqual([...kept].sort());
  const lines = kept.flatMap((name) => linesOf(join(own, name)));
  const first = lines[0] ?? 0;
  expect(first).toBeGreaterThan(0);
  expect(lines).toEqual(Array.from({ length: count - first }, (_, i) => first + i));
});

it('lines that still wait at the end all go into the file that is open then', async () => {
  const own = join(folder, 'ending');
  const file = join(own, 'oja.log');
  const logger = createLogger({ level: 'info', service: 'market', file, mostBytes: 4_000 });
  const LINES = 2_000;
  for (let line = 0; line < LINES; line += 1) logger.info({ line }, 'a line');
  await logger.close();
  expect(readdirSync(own)).toEqual(['oja.log']);
  expect(linesOf(file)).toEqual(Array.from({ length: LINES }, (_, i) => i));
});

it('says how many lines were lost when more come at once than can wait', async () => {
  const file = join(folder, 'burst', 'oja.log');
  const logger = createLogger({ level: 'info', service: 'market', file });
  const LINES = 2_000;
  for (let line = 0; line < LINES; line += 1) logger.info({ line }, 'a line '.repeat(150));
  const written = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => JSON.parse(text));
  const told = await vi.waitUntil(() => written().find(({ lost }) => lost > 0), 60_000);
  expect(told).toMatchObject({
    level: 'warn',
    msg: 'log lines can be written again, and some were lost',
  });
  await logger.close();
  expect(written().filter(({ line }) => line !== undefined)).toHaveLength(LINES - told.lost);
});

const ON_FULL_DISK = `
  import { createLogger } from '@oja/platform';
  import { setImmediate as turn } from 'node:timers/promises';
  const logger = createLogger({ level: 'info', service: 'market', file: '/dev/full' });
  for (let line = 0; line < 1000; line += 1) {
    logger.info({ line }, 'a line '.repeat(700));
    await turn();
  }
  console.log('went on');
  if (process.argv[1] === 'closes') await logger.close();
  else process.exit(0);
`;

/** A process that hangs is killed after this time, and its output is then empty. */
const PATIENCE_MS = 30_000;

// Every write to this device fails as on a full disk.
it.skipIf(!existsSync('/dev/full')).each(['closes', 'exits at once'])(
  'a process whose lines find no room on the disk goes on, and ends when it %s',
  (how) => {
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', ON_FULL_DISK, how], {
      cwd: import.meta.dirname,
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
      encoding: 'utf8',
    });
    expect(ran).toMatchObject({ status: 0, stdout: 'went on\n', stderr: '' });
  },
);
