import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openDataDir, runningServices } from '@oja/platform';
import { afterAll, describe, expect, it } from 'vitest';

const base = mkdtempSync(join(tmpdir(), 'oja-data-'));
afterAll(() => rmSync(base, { recursive: true }));

const HOLDER = `
  import { openDataDir } from '@oja/platform';
  import { writeFileSync } from 'node:fs';
  const [, path, service, pid] = process.argv;
  // In another container its id may be ours.
  if (pid) Object.defineProperty(process, 'pid', { value: Number(pid) });
  const opened = openDataDir(path, service ? { exclusive: false, service } : { exclusive: true });
  console.log(opened.ok);
  process.stdin.once('data', (word) => {
    if (String(word) === 'breaks off') writeFileSync(path + '/restoring.json', '{}');
    // The instant for which another process has to wait.
    setTimeout(() => {
      opened.dataDir.release();
      console.log('released');
    }, 200);
  });
`;

/** Starts another process that takes the data folder. Resolves when it has said whether it got the lock. */
async function otherProcess(path: string, ...as: readonly string[]) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, path, ...as], {
    cwd: import.meta.dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const [line] = await once(lines, 'line');
  return {
    holds: line === 'true',
    /** `breaks off`: like a restore that is interrupted. */
    async release(how: 'in order' | 'breaks off' = 'in order') {
      child.stdin.write(how);
      await once(lines, 'line');
    },
    async kill() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

const modesIn = (path: string): Record<string, number> =>
  Object.fromEntries(
    ['', ...readdirSync(path)].map((name) => [name, statSync(join(path, name)).mode & 0o777]),
  );

describe('the data folder', () => {
  it('is made when it is not there, and known again', () => {
    const path = join(base, 'new', 'deeper');
    const first = openDataDir(path, { exclusive: false });
    expect(first).toMatchObject({ ok: true, dataDir: { path } });
    writeFileSync(join(path, 'log'), 'ours');
    expect(openDataDir(path, { exclusive: false }).ok).toBe(true);
  });

  it('is its owner’s alone, whatever the umask, and so is all that is made after', () => {
    const before = process.umask(0);
    try {
      const path = join(base, 'open', 'to', 'all');
      expect(openDataDir(path, { exclusive: false }).ok).toBe(true);
      writeFileSync(join(path, 'log'), 'ours');
      mkdirSync(join(path, 'mail'));
      expect(modesIn(path)).toEqual({ '': 0o700, 'oja-data.json': 0o600, log: 0o600, mail: 0o700 });
    } finally {
      process.umask(before);
    }
  });

  it('that others could read is closed to them', () => {
    const path = join(base, 'wider');
    expect(openDataDir(path, { exclusive: false }).ok).toBe(true);
    writeFileSync(join(path, 'keys.db'), 'ours');
    mkdirSync(join(path, 'mail'));
    chmodSync(path, 0o755);
    chmodSync(join(path, 'keys.db'), 0o644);
    chmodSync(join(path, 'oja-data.json'), 0o664);
    chmodSync(join(path, 'mail'), 0o777);
    expect(openDataDir(path, { exclusive: false })).toMatchObject({
      ok: true,
      dataDir: { readableByOthers: [] },
    });
    expect(modesIn(path)).toEqual({
      '': 0o700,
      'oja-data.json': 0o600,
      'keys.db': 0o600,
      mail: 0o700,
    });
  });

  it('may be an empty one', () => {
    const path = mkdtempSync(join(base, 'empty-'));
    expect(openDataDir(path, { exclusive: false }).ok).toBe(true);
    expect(readdirSync(path)).toEqual(['oja-data.json']);
  });

  it('is refused when it holds files of others, and nothing is written', () => {
    const path = mkdtempSync(join(base, 'foreign-'));
    writeFileSync(join(path, 'thesis.odt'), '');
    expect(openDataDir(path, { exclusive: true })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/not Oja's: set DATA_DIR to another one\.$/),
    });
    expect(readdirSync(path)).toEqual(['thesis.odt']);
  });

  it('is refused when it is a file, or lies in one', () => {
    const file = join(base, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'data')]) {
      expect(openDataDir(path, { exclusive: true })).toMatchObject({
        ok: false,
        message: expect.stringContaining('is not a folder'),
      });
    }
  });

  it('is refused when it cannot be made', () => {
    const opened = openDataDir('/proc/oja-data', { exclusive: true });
    expect(opened).toMatchObject({ ok: false, message: expect.stringContaining('DATA_DIR') });
  });

  it.skipIf(process.getuid?.() === 0)('is refused when it cannot be written', () => {
    const path = join(base, 'locked');
    mkdirSync(path, { mode: 0o555 });
    expect(openDataDir(path, { exclusive: true })).toMatchObject({
      ok: false,
      message: expect.stringContaining('cannot be written'),
    });
  });
});

describe('the one market on a folder', () => {
  it('refuses a second one, while services and the CLI share it', async () => {
    const path = mkdtempSync(join(base, 'shared-'));
    const other = await otherProcess(path);
    expect(other.holds).toBe(true);
    const before = readdirSync(path);
    expect(openDataDir(path, { exclusive: true })).toMatchObject({
      ok: false,
      message: expect.stringContaining('A market runs on the folder'),
    });
    expect(readdirSync(path)).toEqual(before);
    expect(openDataDir(path, { exclusive: false }).ok).toBe(true);
    await other.kill();
  });

  it('may start once the other was killed or has stopped', async () => {
    const path = mkdtempSync(join(base, 'killed-'));
    const other = await otherProcess(path);
    await other.kill();
    const mine = openDataDir(path, { exclusive: true });
    if (!mine.ok) throw new Error(mine.message);
    const third = await otherProcess(path);
    expect(third.holds).toBe(false);
    await third.kill();
    mine.dataDir.release();
    const fourth = await otherProcess(path);
    expect(fourth.holds).toBe(true);
    await fourth.kill();
  });
});

describe('a market that starts while another process has the folder for an instant', () => {
  it('waits for it', async () => {
    const path = mkdtempSync(join(base, 'instant-'));
    const other = await otherProcess(path);
    const released = other.release();
    const mine = openDataDir(path, { exclusive: true });
    expect(mine.ok).toBe(true);
    await released;
    await other.kill();
    if (mine.ok) mine.dataDir.release();
  });

  it('is refused when that was a restore which was not finished', async () => {
    const path = mkdtempSync(join(base, 'restore-'));
    const other = await otherProcess(path);
    const released = other.release('breaks off');
    expect(openDataDir(path, { exclusive: true })).toMatchObject({
      ok: false,
      message: expect.stringContaining('was begun and not finished'),
    });
    await released;
    // The refused attempt has released the folder.
    const restore = openDataDir(path, { exclusive: true, restoring: true });
    expect(restore.ok).toBe(true);
    await other.kill();
    if (restore.ok) restore.dataDir.release();
  });
});

describe('the services on a folder', () => {
  const own = { service: 'query-service', pid: process.pid };

  it('are seen by others, also one that has the id of who looks', async () => {
    const path = mkdtempSync(join(base, 'services-'));
    const mine = openDataDir(path, { exclusive: false, service: own.service });
    if (!mine.ok) throw new Error(mine.message);
    expect(runningServices(path)).toEqual([]);
    const other = await otherProcess(path, 'projector', `${process.pid}`);
    expect(runningServices(path)).toEqual([{ ...own, service: 'projector' }]);
    await other.kill();
    expect(runningServices(path)).toEqual([]);
    mine.dataDir.release();
  });

  it('may be one service twice under one id, and stay until each has ended', async () => {
    const path = mkdtempSync(join(base, 'twice-'));
    const one = await otherProcess(path, own.service, `${own.pid}`);
    const two = await otherProcess(path, own.service, `${own.pid}`);
    expect(runningServices(path)).toEqual([own, own]);
    await two.release();
    expect(runningServices(path)).toEqual([own]);
    await one.release();
    expect(runningServices(path)).toEqual([]);
    await one.kill();
    await two.kill();
  });
});
