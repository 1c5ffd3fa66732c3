// Kills the processes its parent has started once the parent is gone, however it ended. Reads lines
// from stdin: `begun <pid>` and `ended <pid>`. Each pid is the leader of a process group.
import { createInterface } from 'node:readline';

const groups = new Set();
for await (const line of createInterface({ input: process.stdin })) {
  const [what, pid] = line.split(' ');
  if (what === 'begun') groups.add(Number(pid));
  else groups.delete(Number(pid));
}
for (const group of groups) {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
