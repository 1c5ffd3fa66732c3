export type { Sealed } from '@oja/domain';

import { catalogue } from './catalogue.js';
import { income } from './income.js';
import { ledger } from './ledger.js';
import type { ReadModel } from './model.js';
import type { ModelName } from './names.js';
import { notifications } from './notifications.js';
import { obligations } from './obligations.js';
import { reviews } from './reviews.js';
import { sales } from './sales.js';
import { sellers } from './sellers.js';
import { timeline } from './timeline.js';
import { transactions } from './transactions.js';

export * from './catalogue.js';
export * from './income.js';
export * from './ledger.js';
export * from './model.js';
export * from './names.js';
export * from './notifications.js';
export * from './obligations.js';
export * from './reviews.js';
export * from './sales.js';
export * from './sellers.js';
export * from './timeline.js';
export * from './transactions.js';

/** Every read model by its name, as in `reads` of a call. */
export const readModels = {
  catalogue,
  sellers,
  transactions,
  notifications,
  reviews,
  ledger,
  obligations,
  timeline,
  sales,
  income,
} as const satisfies Readonly<Record<ModelName, ReadModel>>;
