import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

const isThere = (program: string, versionFlag: string): Promise<boolean> =>
  run(program, [versionFlag]).then(
    () => true,
    () => false,
  );

/**
 * Whether a program is available. If it is missing and the tests run as root, its Debian package is
 * installed; no service is started. Tests run in parallel, so apt waits for its lock.
 */
export async function haveProgram(
  program: string,
  { versionFlag, debian }: { readonly versionFlag: string; readonly debian: string },
): Promise<boolean> {
  if (await isThere(program, versionFlag)) return true;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  const apt = (...args: readonly string[]) =>
    run('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=120', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
  try {
    await apt('install', '-y', debian);
  } catch {
    await apt('update').catch(() => undefined);
    await apt('install', '-y', debian).catch(() => undefined);
  }
  return isThere(program, versionFlag);
}
