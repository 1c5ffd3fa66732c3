import type { LedgerCollections } from '@oja/contracts/models';
import type { TransactionEvent } from '@oja/domain';
import { ledger } from '../../src/projections/ledger/index.js';
import type { Change, Loaded } from '../../src/runner/projection.js';
import { positionAt } from './log.js';

type Tables = { readonly [K in keyof LedgerCollections]: Map<string, LedgerCollections[K]> };

/** The ledger's documents, computed directly from events without a projector. */
export class Books {
  readonly #tables: Tables = { accounts: new Map(), earnings: new Map(), orders: new Map() };

  readonly #loaded: Loaded<LedgerCollections> = {
    get: (collection, id) => this.#tables[collection].get(id) ?? null,
    find: () => {
      throw new Error('the ledger asks for its documents by their ids');
    },
    has: () => true,
  };

  hear({ type, data }: TransactionEvent): void {
    const event = ledger.parse(type, data);
    if (event === null) return;
    const place = { id: '', stream: '', subject: '', revision: 0, at: '', actor: '' };
    const fact = { event, position: positionAt(1), ...place };
    for (const change of ledger.project(fact, this.#loaded)) this.#keep(change);
  }

  #keep(change: Change<LedgerCollections>): void {
    if (change.type === 'delete') this.#tables[change.collection].delete(change.id);
    else if (change.collection === 'accounts')
      this.#tables.accounts.set(change.id, change.document);
    else if (change.collection === 'earnings')
      this.#tables.earnings.set(change.id, change.document);
    else this.#tables.orders.set(change.id, change.document);
  }

  accounts = (id: string) => this.#loaded.get('accounts', id);
  earnings = (sellerId: string) => this.#loaded.get('earnings', sellerId);
}
