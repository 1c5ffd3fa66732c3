import { readdirSync, readFileSync } from 'node:fs';

const NS_A_MS = 1e6;

/** CPU time of each thread of a process so far, in ms; null where the system does not report it. */
export function threadsOf(pid) {
  try {
    return new Map(
      readdirSync(`/proc/${pid}/task`).map((id) => {
        const [ran] = readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ');
        return [id, Number(ran) / NS_A_MS];
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
  const before = threadsOf('self');
  return () => {
    const now = threadsOf('self');
    if (before === null || now === null) return null;
    return Math.max(...[...now].map(([id, spent]) => spent - (before.get(id) ?? 0)));
  };
}
