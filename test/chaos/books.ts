import {
  type InboxDocument,
  type LedgerDocument,
  ledger,
  type NotificationDocument,
  notifications,
} from '@oja/contracts/models';
import { eachDocument } from '@oja/platform';
import type { Engines } from './engines.js';
import { logBooks } from './log-books.js';
import { providerBooks } from './sandbox-books.js';
import type { Books } from './verdict.js';

/** Reads everything that must agree, once nothing changes any more. */
export async function readBooks(
  engines: Engines,
  now: number,
): Promise<Omit<Books, 'known' | 'untold'>> {
  const { documents, readModels } = engines;
  const items = await readModels.liveCollection(notifications, 'items');
  const notices: NotificationDocument[] = [];
  for await (const { document } of eachDocument<NotificationDocument>(documents, items, {}))
    notices.push(document);
  const inboxes = await readModels.liveCollection(notifications, 'inboxes');
  const unread = new Map<string, number>();
  for await (const { id, document } of eachDocument<InboxDocument>(documents, inboxes, {}))
    unread.set(id, document.unread);
  const collection = await readModels.liveCollection(ledger, 'accounts');
  const accounts = new Map<string, LedgerDocument>();
  for await (const { id, document } of eachDocument<LedgerDocument>(documents, collection, {}))
    accounts.set(id, document);
  const provider = await providerBooks(engines, now);
  return { provider, orders: await logBooks(engines), notices, unread, accounts };
}
