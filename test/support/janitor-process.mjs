// Ends what its parent has started once the parent is gone, however it went. Told on the standard input, a line
// each: `begun <pid>` and `ended <pid>`; each is the head of a process group of its own.
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
    // It has ended by itself.
  }
}
