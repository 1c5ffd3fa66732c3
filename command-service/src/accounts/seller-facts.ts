import { asProfile, asUserDetails, type Profile, type UserDetails } from '@oja/contracts';
import {
  keySubject,
  type Sealed,
  type SellerEvent,
  type SellerState,
  seller,
  streamNames,
} from '@oja/domain';
import {
  type CommandResult,
  emptyStream,
  type Loaded,
  type Position,
  parseEvent,
  type RecordedEvent,
} from '@oja/platform';
import type { Deps } from '../deps.js';

export interface PayoutAccount {
  readonly name: string;
  readonly accountNumber: string;
  readonly bankCode: string;
}

/** A seller as read from their own stream, with values that are only in the events and not in the state. */
export interface SellerFacts {
  readonly state: Extract<SellerState, { readonly status: 'registered' }>;
  readonly name: Sealed;
  readonly phone: Sealed;
  /** The bank account for payouts; null before the first. */
  readonly account: Readonly<Record<keyof PayoutAccount, Sealed>> | null;
  /** ISO 8601. */
  readonly registeredAt: string;
  /** Log position of the seller's last event. */
  readonly position: Position;
}

function evolveFacts(
  before: SellerFacts | null,
  event: SellerEvent,
  { position, metadata }: Pick<RecordedEvent, 'position' | 'metadata'>,
): SellerFacts | null {
  const state = seller.evolve(before?.state ?? seller.initial, event);
  if (state.status === 'none') return null;
  if (event.type === 'SellerRegistered' || event.type === 'SellerProfileUpdated') {
    const { name, phone } = event.data;
    const { account = null, registeredAt = metadata.time } = before ?? {};
    return { state, name, phone, account, registeredAt, position };
  }
  if (event.type === 'PayoutAccountSet') {
    const { accountName: name, accountNumber, bankCode } = event.data;
    return before && { ...before, state, account: { name, accountNumber, bankCode }, position };
  }
  return before && { ...before, state, position };
}

/** The result of reading a seller's stream. */
export interface ReadSeller {
  /** Null when there is no such seller. */
  readonly facts: SellerFacts | null;
  readonly known: Loaded<SellerState>;
}

/**
 * Reads a seller's stream once, for both the facts and the following commands.
 * @throws StoreUnavailable when the log cannot be read; UnreadableEvent
 */
export async function readSellerStream(
  { eventStore }: Pick<Deps, 'eventStore'>,
  sellerId: string,
): Promise<ReadSeller> {
  let facts: SellerFacts | null = null;
  let known = emptyStream<SellerState>(seller.initial);
  const commands = new Set<string>();
  for await (const recorded of eventStore.readStream(streamNames.seller(sellerId))) {
    const { position, revision, metadata } = recorded;
    const { correlationId, time } = metadata;
    const event = parseEvent(seller, recorded);
    const state = event === null ? known.state : seller.evolve(known.state, event);
    if (event !== null) facts = evolveFacts(facts, event, recorded);
    commands.add(metadata.commandId);
    const begunUnder = known.begunUnder ?? correlationId;
    known = { state, revision, position, lastTime: Date.parse(time), begunUnder, commands };
  }
  return { facts, known };
}

type SellerChanged = Extract<CommandResult<SellerState>, { readonly ok: true }>;

/**
 * The facts after a command.
 * @throws Error when the seller is not registered even then.
 */
export function factsAfter(
  before: SellerFacts | null,
  { events, position }: SellerChanged,
): SellerFacts {
  let facts = before;
  for (const written of events) {
    const event = parseEvent(seller, written);
    if (event !== null && position !== null)
      facts = evolveFacts(facts, event, { ...written, position });
  }
  if (facts === null) throw new Error('a registered seller is not in the log');
  return facts;
}

/** What is said of a seller on the wire, but for personal values. */
const publicProfile = ({ state }: SellerFacts) => ({ ...state, isAdmin: state.isHeadAdmin });

/** The seller's personal name; null after erasure. */
export const nameOf = ({ sealer }: Pick<Deps, 'sealer'>, { state, name }: SellerFacts) =>
  sealer.open(streamNames.seller(state.sellerId), 'name', name);

/** The seller's bank account for payouts; null when they have not set one, or were erased. */
export async function payoutAccountOf(
  { sealer }: Pick<Deps, 'sealer'>,
  { state, account }: SellerFacts,
): Promise<PayoutAccount | null> {
  if (account === null) return null;
  const stream = streamNames.seller(state.sellerId);
  const [name, accountNumber, bankCode] = await sealer.openMany([
    { stream, field: 'accountName', value: account.name },
    { stream, field: 'accountNumber', value: account.accountNumber },
    { stream, field: 'bankCode', value: account.bankCode },
  ]);
  return name && accountNumber && bankCode ? { name, accountNumber, bankCode } : null;
}

/** The seller as login and registration return them. */
export async function userDetailsOf(
  deps: Pick<Deps, 'sealer'>,
  facts: SellerFacts,
): Promise<UserDetails> {
  return asUserDetails({ ...publicProfile(facts), name: await nameOf(deps, facts) });
}

/** The seller as the profile shows them. */
export async function profileOf(
  { sealer }: Pick<Deps, 'sealer'>,
  facts: SellerFacts,
): Promise<Profile> {
  const { sellerId } = facts.state;
  const stream = streamNames.seller(sellerId);
  const [name = null, phone = null] = await sealer.openMany([
    { stream, field: 'name', value: facts.name },
    { stream, field: 'phone', value: facts.phone },
  ]);
  const { registeredAt } = facts;
  return asProfile({ ...publicProfile(facts), name, phone, registeredAt });
}

/** Seals personal values of a seller for their stream, under these field names. */
export const sealForSeller = <F extends string>(
  { sealer }: Pick<Deps, 'sealer'>,
  sellerId: string,
  fields: Readonly<Record<F, string>>,
) => sealer.seal(keySubject('seller', sellerId), streamNames.seller(sellerId), fields);
