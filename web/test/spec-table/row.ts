import type { Kind } from './dom-queries.js';
import type { Expected } from './expected.js';
import type { Stage } from './stage.js';

/** Brings the stage into a state. What it arranges before its first act precedes the page's opening. */
export type Reach = (stage: Stage) => Promise<void> | void;
/** Reads without changing anything; repeated until it returns the expected value. */
export type Read = ((stage: Stage) => Expected | undefined) & {
  /** The value can still change: it is read once more when nothing is on its way. */
  readonly atRest?: true;
};
/** Measures a time, distance or count by acting on the page; called once. */
export interface Measure {
  readonly measure: (stage: Stage) => Promise<number>;
}

/** One statement of the specification: what a screen shows in a state. */
export interface Row {
  /** Its address. */
  readonly screen: string;
  /** In words. */
  readonly state: string;
  readonly expected: Expected;
  /** How the page shows it; default 'text'. */
  readonly as?: Kind;
  readonly read?: Read;
  readonly measure?: Measure['measure'];
  readonly reach?: Reach;
}

function toRowFields(how: Kind | Read | Measure): Partial<Row> {
  if (typeof how === 'string') return { as: how };
  return typeof how === 'function' ? { read: how } : how;
}

/** Makes rows of one screen; `first` runs before each row's own steps. */
export function at(screen: string, first?: Reach) {
  return (
    state: string,
    expected: Expected,
    how: Kind | Read | Measure = 'text',
    then?: Reach,
  ): Row => ({
    screen,
    state,
    expected,
    ...toRowFields(how),
    reach: async (stage) => {
      await first?.(stage);
      await then?.(stage);
    },
  });
}
