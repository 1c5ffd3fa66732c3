/** The longest that one condition is asked, in milliseconds; one that does not answer is not met. */
const ASK_MS = 2_000;

export type Condition = () => boolean | Promise<boolean>;

/** What must be true before everything can serve, by names that an operator understands. */
export interface Readiness {
  add(name: string, condition: Condition): void;
  /** The names of what is still missing; none: ready. */
  waitingFor(): Promise<readonly string[]>;
}

async function isMet(condition: Condition): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ASK_MS);
  });
  try {
    return await Promise.race([condition(), tooLong]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

export function createReadiness(): Readiness {
  const conditions = new Map<string, Condition>();
  return {
    add: (name, condition) => conditions.set(name, condition),
    async waitingFor() {
      const asked = await Promise.all(
        [...conditions].map(async ([name, condition]) => ((await isMet(condition)) ? [] : [name])),
      );
      return asked.flat();
    },
  };
}
