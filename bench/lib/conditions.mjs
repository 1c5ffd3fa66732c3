import { availableParallelism, loadavg } from 'node:os';

/** The conditions of a measurement: with a load above the number of cores it had to wait for other programs. */
export function conditions() {
  const [load] = loadavg();
  return `${availableParallelism()} cores, load ${load.toFixed(1)}, Node ${process.versions.node}`;
}
