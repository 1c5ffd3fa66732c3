import type { Projection } from '../runner/projection.js';
import { catalogue } from './catalogue/index.js';
import { income } from './income.js';
import { ledger } from './ledger/index.js';
import { notifications } from './notifications.js';
import { obligations } from './obligations/index.js';
import { reviews } from './reviews.js';
import { sales } from './sales.js';
import { sellers } from './sellers.js';
import { timeline } from './timeline.js';
import { transactions } from './transactions.js';

/** Every read model of the market. */
export const projections: readonly Projection[] = [
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
];
