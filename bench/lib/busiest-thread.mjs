import { readdirSync, readFileSync } from 'node:fs';

/** Of the kernel's clock ticks; 100 a second on all machines that run Node. */
const TICK_MS = 10;

/** CPU time of each thread of this process so far, in ms; null where the system does not tell. */
function threads() {
  try {
    return new Map(
      readdirSync('/proc/self/task').map((id) => {
        const fields = readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ')[1].split(' ');
        return [id, (Number(fields[11]) + Number(fields[12])) * TICK_MS];
      }),
    );
  } catch {
    return null;
  }
}

/**
 * Answers a function that tells the CPU time, in ms, of the thread that has worked most since. On a machine with
 * nothing else to do, work can be done no faster than that; on a busy one it takes as much longer as others take.
 */
export function busiestThread() {
  const before = threads();
  return () => {
    const now = threads();
    if (before === null || now === null) return null;
    return Math.max(...[...now].map(([id, spent]) => spent - (before.get(id) ?? 0)));
  };
}
