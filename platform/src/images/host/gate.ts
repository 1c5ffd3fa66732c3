/** Lets a bounded number of tasks run at once; the others wait in line. */
export interface Gate {
  /** How many stand in line. */
  readonly waiting: number;
  run<T>(task: () => Promise<T>): Promise<T>;
}

export function createGate(atOnce: number): Gate {
  const line: (() => void)[] = [];
  let running = 0;
  return {
    get waiting() {
      return line.length;
    },
    async run(task) {
      // A leaver hands its place to the first in line, so nobody slips in between.
      if (running === atOnce) await new Promise<void>((resolve) => line.push(resolve));
      else running += 1;
      try {
        return await task();
      } finally {
        const next = line.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
