import { people } from './admin/people.js';
import { transactions } from './admin/transactions.js';
import type { Row } from './row.js';

/** What admins and sub-admins see and do. */
export const admin: readonly Row[] = [...people, ...transactions];
