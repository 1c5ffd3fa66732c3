import type { Document as Stage } from 'mongodb';
import type { Filter, Scalar } from '../port.js';
import type { Shape } from '../shape.js';
import { filterOf } from './filter.js';

/** One pass over what matches, which counts every field. There must be a field. */
export function facetPipeline(shape: Shape, filter: Filter, fields: readonly string[]): Stage[] {
  const counting = fields.map((field): [string, Stage[]] => {
    const isList = !shape.columns.includes(field);
    const path = `$${isList ? 'l' : 'f'}.${field}`;
    const group = { $group: { _id: path, count: { $sum: 1 } } };
    return [field, isList ? [{ $unwind: path }, group] : [group]];
  });
  return [{ $match: filterOf(filter) }, { $facet: Object.fromEntries(counting) }];
}

/** What the pipeline answers for a field. */
export interface Counted {
  readonly _id: Scalar;
  readonly count: number;
}
