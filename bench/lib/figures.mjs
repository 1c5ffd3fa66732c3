/** The value below which this share (0 to 1) of the samples lies. */
export function percentile(samples, share) {
  const sorted = [...samples].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const ms = (value) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
export const perSecond = (count, milliseconds) => (count / milliseconds) * 1000;
export const rate = (value) => `${Math.round(value).toLocaleString('en')}/s`;

/** Such as `p50 1.20 ms, p99 4.80 ms`. */
export function spread(samples) {
  return `p50 ${ms(percentile(samples, 0.5))}, p99 ${ms(percentile(samples, 0.99))}`;
}

/** Prints one line: what was measured, the figure, and its ratio to the baseline of the same run. */
export function line(what, figure, ratio = null) {
  const against = ratio === null ? '' : `   ${ratio.value.toFixed(2)} × ${ratio.of}`;
  console.log(`${what.padEnd(46)} ${figure}${against}`);
}

/** Runs the work and returns its duration and the CPU time of this process meanwhile, in milliseconds. */
export async function measured(work) {
  const before = process.cpuUsage();
  const began = performance.now();
  await work();
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  return { took, cpu: (user + system) / 1000 };
}

/** Runs the work and returns its duration in milliseconds. */
export const timed = async (work) => (await measured(work)).took;
