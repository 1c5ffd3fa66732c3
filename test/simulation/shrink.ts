import { type Outcome, type Plan, simulate, TROUBLES, type Trouble } from './run.js';
import { orderNumbered } from './world.js';

/** A smaller plan may need another order of its steps to fail. */
const SHUFFLES = 6;

export interface Shrunk {
  readonly plan: Plan;
  readonly outcome: Outcome;
}

/**
 * Leaves out orders and troubles while the same rule is still violated. The result is the shortest
 * story that was found, not the shortest possible.
 */
export async function shrink(plan: Plan, outcome: Outcome): Promise<Shrunk> {
  const rule = outcome.violation?.rule;
  let best: Shrunk = { plan, outcome };

  async function attempt(smaller: Plan): Promise<boolean> {
    for (let shuffle = 0; shuffle < SHUFFLES; shuffle += 1) {
      const tried = { ...smaller, shuffle };
      const next = await simulate(tried);
      if (next.violation?.rule !== rule) continue;
      best = { plan: tried, outcome: next };
      return true;
    }
    return false;
  }

  const about = outcome.violation?.about ?? '';
  const own = Array.from({ length: plan.orders }, (_, number) => number).filter((number) =>
    about.startsWith(orderNumbered(number)),
  );
  if (!(await attempt({ ...best.plan, only: [] })) && !(await attempt({ ...best.plan, only: own })))
    await halve(plan.orders, (only) => attempt({ ...best.plan, only }));
  for (const trouble of TROUBLES) {
    const troubles: readonly Trouble[] = best.plan.troubles ?? TROUBLES;
    if (troubles.includes(trouble))
      await attempt({ ...best.plan, troubles: troubles.filter((each) => each !== trouble) });
  }
  const told = { ...best.plan, isTold: true };
  return { plan: told, outcome: await simulate(told) };
}

/** Tries smaller and smaller sets of the orders. */
async function halve(
  orders: number,
  attempt: (only: readonly number[]) => Promise<boolean>,
): Promise<void> {
  let only: readonly number[] = Array.from({ length: orders }, (_, number) => number);
  for (let size = Math.ceil(only.length / 2); size >= 1 && only.length > 1; ) {
    let isSmaller = false;
    for (let from = 0; from < only.length; from += size) {
      const rest = only.filter((_, index) => index < from || index >= from + size);
      if (rest.length === 0 || !(await attempt(rest))) continue;
      only = rest;
      isSmaller = true;
      break;
    }
    if (!isSmaller) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
}

/** The lines about what was violated, and the kills and suspensions of programs between them. */
export function storyOf({ outcome: { violation, story } }: Shrunk): readonly string[] {
  const ids = (violation?.message ?? '').match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
  const told = story.filter(
    (line) =>
      ids.length === 0 ||
      ids.some((id) => line.includes(id)) ||
      /is killed|stands still/.test(line),
  );
  const first = told.findIndex((line) => ids.some((id) => line.includes(id)));
  return told.slice(Math.max(0, first - 2));
}
