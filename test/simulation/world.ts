import { v5 as uuidv5 } from 'uuid';
import type { Random } from '../chaos/random.js';
import type { Market } from './market.js';
import type { Provider } from './provider.js';
import type { Trouble } from './run.js';
import type { Scheduler } from './scheduler.js';
import type { Witness } from './witness.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** What a simulated seller remembers. */
export interface Stall {
  readonly number: number;
  readonly password: string;
  sellerId: string | null;
  businessName: string;
}

export interface Goods {
  readonly productId: string;
  readonly sellerId: string;
  /** Naira, as the seller last heard it. */
  price: number;
  /** Whether the seller counts the stock. */
  readonly isCounted: boolean;
}

/** People look only at the newest goods, up to this many; older ones stay in the market. */
const MOST_LOOKED_AT = 40;
export const lookedAt = ({ goods }: Pick<World, 'goods'>): readonly Goods[] =>
  goods.slice(-MOST_LOOKED_AT);

/** What everybody in a simulation shares. */
export interface World {
  readonly seed: number;
  readonly days: number;
  readonly troubles: ReadonlySet<Trouble>;
  readonly scheduler: Scheduler;
  readonly market: Market;
  readonly provider: Provider;
  readonly witness: Witness;
  readonly stalls: Stall[];
  readonly goods: Goods[];
  /** Whether the provider pays this seller: transfers are on, and the seller gave an account. */
  isPaidByTransfer(sellerId: string): boolean;
  /** People act until this time; afterwards everything comes to its end. */
  readonly until: number;
  /** Adds a line to the story. */
  tell(who: string, what: string): void;
}

/** A fixed random namespace for the command ids that simulated browsers send. */
const NAMESPACE = '3c1f1b0e-9a67-4c55-8f0d-8a3b9c0d2e11';

/** Derived as in the HTTP kit: the same key is the same command. */
export const commandIdOf = (...parts: readonly (string | number)[]): string =>
  uuidv5(JSON.stringify(parts), NAMESPACE);

/** Random values of one person that do not depend on anybody else. */
export const chancesFor = (make: (seed: number) => Random, { seed }: World, who: number): Random =>
  make((Math.imul(seed, 1_000_003) + who) >>> 0);

/** The id of the order from a buyer's first attempt. */
export const orderNumbered = (number: number): string =>
  uuidv5('transaction', commandIdOf(`order ${number}`));
