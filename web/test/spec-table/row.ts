import type { Expected } from './expected.js';
import type { Kind } from './seen.js';
import type { Stage } from './stage.js';

/** Brings the stage into a state: what it arranges before its first act on the page stands before the page opens. */
export type Reach = (stage: Stage) => Promise<void> | void;
/** Looks and changes nothing: it is asked again until it says what is expected. */
export type Read = (stage: Stage) => Expected | undefined;
/** Finds out how long, how far or how often, by acting. Asked once. */
export interface Measure {
  readonly measure: (stage: Stage) => Promise<number>;
}

/** One promise of the specification: on this screen, in this state, this is so. */
export interface Row {
  /** Its address. */
  readonly screen: string;
  /** In words. */
  readonly state: string;
  readonly expected: Expected;
  /** What the page shows it as; 'text' when nothing else is said. */
  readonly as?: Kind;
  readonly read?: Read;
  readonly measure?: Measure['measure'];
  readonly reach?: Reach;
}

function told(how: Kind | Read | Measure): Partial<Row> {
  if (typeof how === 'string') return { as: how };
  return typeof how === 'function' ? { read: how } : how;
}

/** The rows of one screen: each a line, after what is common to all of them. */
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
    ...told(how),
    reach: async (stage) => {
      await first?.(stage);
      await then?.(stage);
    },
  });
}
