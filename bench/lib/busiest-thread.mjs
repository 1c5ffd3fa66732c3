import { readdirSync, readFileSync } from 'node:fs';

/** Length of a kernel clock tick: 100 ticks a second on every machine that runs Node. */
const TICK_MS = 10;

/** CPU time of each thread of this process so far, in ms; null where the system does not report it. */
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
 * Returns a function that tells the CPU time, in ms, of the thread that has worked most since, or null where the
 * system does not report it. An idle machine cannot do the work faster than that; on a busy one it takes longer.
 */
export function busiestThread() {
  const before = threads();
  return () => {
    const now = threads();
    if (before === null || now === null) return null;
    return Math.max(...[...now].map(([id, spent]) => spent - (before.get(id) ?? 0)));
  };
}
