import { availableParallelism, loadavg } from 'node:os';

/** Under what a figure was taken: a load beyond the cores means that it waited for others. */
export function conditions() {
  const [load] = loadavg();
  return `${availableParallelism()} cores, load ${load.toFixed(1)}, Node ${process.versions.node}`;
}
