import type { Profile, UserDetails } from '@oja/contracts';
import { keySubject, type Sealed, type SellerEvent, type SellerState, seller } from '@oja/domain';
import { type Position, type RecordedEvent, streamOf } from '@oja/platform';
import type { Deps } from '../deps.js';

const flag = (yes: boolean): 0 | 1 => (yes ? 1 : 0);

/** A seller as their own stream tells it, with what only its events carry. */
export interface SellerFacts {
  readonly state: Extract<SellerState, { readonly status: 'registered' }>;
  readonly name: Sealed;
  readonly phone: Sealed;
  /** ISO 8601. */
  readonly registeredAt: string;
  /** Of the last event. */
  readonly position: Position;
}

function next(
  before: SellerFacts | null,
  event: SellerEvent,
  { position, metadata }: RecordedEvent,
): SellerFacts | null {
  const state = seller.evolve(before?.state ?? seller.initial, event);
  if (state.status === 'none') return null;
  if (event.type === 'SellerRegistered' || event.type === 'SellerProfileUpdated') {
    const { name, phone } = event.data;
    return { state, name, phone, registeredAt: before?.registeredAt ?? metadata.time, position };
  }
  return before && { ...before, state, position };
}

/** Null: there is no such seller. */
export async function readSeller(
  { eventStore }: Pick<Deps, 'eventStore'>,
  sellerId: string,
): Promise<SellerFacts | null> {
  let facts: SellerFacts | null = null;
  for await (const recorded of eventStore.readStream(streamOf(seller, sellerId))) {
    const event = seller.parse(recorded.type, recorded.data);
    if (event !== null) facts = next(facts, event, recorded);
  }
  return facts;
}

function detailsOf({ state }: SellerFacts, name: string | null): UserDetails {
  return {
    user_id: state.sellerId,
    name,
    businessName: state.businessName,
    is_admin: flag(state.isHeadAdmin),
    is_subAdmin: flag(state.isSubAdmin),
    is_suspended: flag(state.isSuspended),
  };
}

/** Their personal name; null where it was erased. */
export const nameOf = ({ sealer }: Pick<Deps, 'sealer'>, { state, name }: SellerFacts) =>
  sealer.open(streamOf(seller, state.sellerId), 'name', name);

/** As login and registration answer it. */
export async function userDetailsOf(
  deps: Pick<Deps, 'sealer'>,
  facts: SellerFacts,
): Promise<UserDetails> {
  return detailsOf(facts, await nameOf(deps, facts));
}

/** As the profile shows it. */
export async function profileOf(
  { sealer }: Pick<Deps, 'sealer'>,
  facts: SellerFacts,
): Promise<Profile> {
  const { sellerId } = facts.state;
  const stream = streamOf(seller, sellerId);
  const [name = null, phone = null] = await sealer.openMany([
    { stream, field: 'name', value: facts.name },
    { stream, field: 'phone', value: facts.phone },
  ]);
  return {
    ...detailsOf(facts, name),
    userId: sellerId,
    phone_1: phone,
    created_at: facts.registeredAt,
  };
}

/** Personal values of a seller, bound to their stream and to the names of these fields. */
export const sealForSeller = <F extends string>(
  { sealer }: Pick<Deps, 'sealer'>,
  sellerId: string,
  fields: Readonly<Record<F, string>>,
) => sealer.seal(keySubject('seller', sellerId), streamOf(seller, sellerId), fields);
