import type { Row } from './row.js';
import { card } from './shopping/card.js';
import { homePage } from './shopping/home.js';
import { shell } from './shopping/shell.js';

/** Finding, choosing, carrying, and talking about it. */
export const shopping: readonly Row[] = [...shell, ...homePage, ...card];
