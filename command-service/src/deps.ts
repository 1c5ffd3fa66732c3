import type { CallName, Calls, Person } from '@oja/contracts';
import type { TransactionState } from '@oja/domain';
import type { CallHandler, CallHandlers, Idempotency } from '@oja/http';
import type {
  AccessTokens,
  Clock,
  Documents,
  EventStore,
  Handle,
  Images,
  Jobs,
  Keys,
  Loaded,
  Logger,
  Mail,
  Payments,
  ReadModels,
  Sealer,
  Sessions,
  State,
} from '@oja/platform';
import type { Passwords } from './accounts/passwords.js';

export interface Settings {
  /** Origin under which browsers reach the market, without a slash at its end. */
  readonly publicUrl: string;
  readonly demo: boolean;
  /** Whether released shares are paid out by the provider; otherwise an operator marks them. */
  readonly payouts: boolean;
}

/** What command-service stands on. */
export interface Deps {
  /** The one way from a command to events. */
  readonly handle: Handle['handle'];
  readonly load: Handle['load'];
  /**
   * What the job or sweep in hand has read and written of orders, by id. Nothing is decided on what is
   * old: an append after somebody else's is refused, and the stream is read again.
   */
  readonly readOrders?: Map<string, Loaded<TransactionState>>;
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
  /** Absent where this process works no queues: the sweep alone does what is owed then. */
  readonly jobs?: Jobs;
  /** Writes nothing here; what it has written to a person is forgotten with their key. */
  readonly mail: Mail;
  readonly idempotency: Idempotency;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** In metadata, who types at the terminal; without it an operator without a name. */
  readonly operator?: string;
}

/** For one job, or one thing that a sweep does: an order that it has read is not read again. */
export const readingOnce = (deps: Deps): Deps => ({ ...deps, readOrders: new Map() });

/** The calls of the table that this service answers. */
export type CommandCall = Extract<Calls[CallName], { readonly owner: 'command-service' }>;
export type Handlers = CallHandlers<CommandCall, Person>;
export type Handler<N extends CommandCall['name']> = CallHandler<Calls[N], Person>;
