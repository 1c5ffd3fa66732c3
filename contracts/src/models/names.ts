/**
 * The names of all read models, in the order in which they are shown. Apart from what they are made of: the command
 * line knows how they are typed before it reads anything.
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
