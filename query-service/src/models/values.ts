import type { Condition, Scalar } from '@oja/platform';

export const equal = (field: string, value: Scalar): Condition => ({ field, op: 'eq', value });

export const ascending = (...fields: readonly string[]) =>
  fields.map((field) => ({ field, order: 'asc' }) as const);
export const descending = (...fields: readonly string[]) =>
  fields.map((field) => ({ field, order: 'desc' }) as const);
