import type { CallName, Calls, Person } from '@oja/contracts';
import { type ObligationDocument, type ObligationKind, obligations } from '@oja/contracts/models';
import type { TransactionState } from '@oja/domain';
import type { CallHandler, CallHandlers, Idempotency } from '@oja/http';
import {
  type AccessTokens,
  type Clock,
  type CommandHandler,
  type Documents,
  type EventStore,
  eachDocument,
  type Images,
  type Jobs,
  type Keys,
  type Loaded,
  type Logger,
  type Mail,
  type Payments,
  type ReadModels,
  type Sealer,
  type Sessions,
  type State,
} from '@oja/platform';
import type { Passwords } from './accounts/passwords.js';

export interface Settings {
  /** The origin at which browsers reach the market, without a trailing slash. */
  readonly publicUrl: string;
  readonly demo: boolean;
  /** Whether the provider pays out released shares. Otherwise an operator pays them and marks them as paid. */
  readonly payouts: boolean;
}

/** What command-service depends on. */
export interface Deps {
  /** The only way from a command to events. */
  readonly handle: CommandHandler['handle'];
  readonly load: CommandHandler['load'];
  /**
   * The orders that the current job or sweep task has read or written, by id. Old entries are safe:
   * an append at an old revision is refused, and the stream is read again.
   */
  readonly orderCache?: Map<string, Loaded<TransactionState>>;
  readonly eventStore: EventStore;
  readonly logId: string;
  readonly documents: Documents;
  readonly readModels: ReadModels;
  readonly state: State;
  readonly keys: Keys;
  readonly sealer: Sealer;
  readonly sessions: Sessions;
  readonly accessTokens: AccessTokens;
  readonly passwords: Passwords;
  readonly payments: Payments;
  readonly images: Images;
  /** Absent when this process works no queues. Then the sweep alone does what is owed. */
  readonly jobs?: Jobs;
  /** Not used to send. Letters written to a person are deleted with their key. */
  readonly mail: Mail;
  readonly idempotency: Idempotency;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The actor in event metadata for an operator at the terminal. Absent when the operator's name is unknown. */
  readonly operator?: string;
}

/** Deps for one job or sweep task, which reads each order only once. */
export const withOrderCache = (deps: Deps): Deps => ({ ...deps, orderCache: new Map() });

/**
 * The obligations of a kind that are due at `now` (epoch milliseconds), longest overdue first.
 * @throws ReadModelMissing before a projector has run.
 */
export async function* dueObligations(
  { documents, readModels }: Pick<Deps, 'documents' | 'readModels'>,
  kind: ObligationKind,
  now: number,
): AsyncGenerator<ObligationDocument> {
  const due = await readModels.liveCollection(obligations, 'due');
  const owed = eachDocument<ObligationDocument>(documents, due, {
    filter: [
      { field: 'kind', op: 'eq', value: kind },
      { field: 'due', op: 'lte', value: new Date(now).toISOString() },
    ],
    sort: [{ field: 'due', order: 'asc' }],
  });
  for await (const { document } of owed) yield document;
}

/** The calls that this service answers. */
export type CommandCall = Extract<Calls[CallName], { readonly owner: 'command-service' }>;
export type Handlers = CallHandlers<CommandCall, Person>;
export type Handler<N extends CommandCall['name']> = CallHandler<Calls[N], Person>;
