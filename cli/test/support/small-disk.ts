import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether this machine lets a process mount a disk of its own, which a container may forbid. */
export const mounts =
  spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', tmpdir()]).status === 0;

/** Runs a command beside which a small, empty disk lies at a folder; only it sees the disk. */
export const besideSmallDisk = (
  { disk, kilobytes, dataDir }: { disk: string; kilobytes: number; dataDir: string },
  args: readonly string[],
) =>
  spawnSync(
    'unshare',
    [
      ...['--user', '--map-root-user', '--mount', 'sh', '-c'],
      `mount -t tmpfs -o size=${kilobytes}k none "$0" && "$@"; code=$?; ls "$0" >&2; exit $code`,
      ...[disk, process.execPath, join(import.meta.dirname, '../../bin/oja.js'), ...args],
    ],
    { encoding: 'utf8', env: { PATH: process.env.PATH, DATA_DIR: dataDir } },
  );
