import type { Colourway } from '../pictures/colourways.js';
import type { ObjectName } from '../pictures/objects.js';
import type { SampleAttributes } from '../types.js';

/**
 * Something sellers offer in several variants. `{words}` in the name stand for the value chosen
 * under that word; `{color}` is chosen by itself, from the colours in which the object can be
 * drawn.
 */
export interface Line {
  readonly name: string;
  readonly object: ObjectName;
  /** What sellers ask for the simplest variant when new, in whole naira: from, to. */
  readonly price: readonly [number, number];
  /** Attributes all variants share, under their wire names. */
  readonly attributes: SampleAttributes;
  /**
   * What differs between variants. A word that the subcategory's table knows becomes that
   * attribute.
   */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** The choice whose values go from the cheapest to the dearest. */
  readonly dearer?: string;
  /** How the object is coloured where the subcategory's table has no colour. */
  readonly colourway?: Colourway;
  /** One or two true sentences. */
  readonly about: string;
}
