/**
 * The names of all read models, in display order. In a file of their own, so that the command line
 * can parse them without loading the models.
 */
export const modelNames = [
  'catalogue',
  'sellers',
  'transactions',
  'notifications',
  'reviews',
  'ledger',
  'obligations',
  'timeline',
  'sales',
  'income',
] as const;
export type ModelName = (typeof modelNames)[number];
