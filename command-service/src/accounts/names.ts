import { createHash } from 'node:crypto';
import {
  type BusinessNameState,
  businessName,
  businessNameKey,
  claimLost,
  isReservedBusinessName,
  type SellerState,
  seller,
  UNUSED_CLAIM_MS,
} from '@oja/domain';
import type { CommandContext, Handled, Loaded } from '@oja/platform';
import { v7 } from 'uuid';
import { contextOf } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { type Leased, withLease } from '../lease.js';
import { type ReadSeller, readSellerStream, type SellerFacts } from './seller-facts.js';

/** So long a sign-up or a rename has its seller's names to itself, in milliseconds. */
const NAMES_LEASE_MS = 15_000;
/** A claim that was given up meanwhile is made anew so often. */
const CLAIMS_MAX = 3;

/** The id of a name's stream. */
export const nameId = (nameKey: string): string =>
  createHash('sha256').update(nameKey).digest('hex');

/**
 * A seller's names are changed by one at a time, so that requests at the same moment seldom get in each
 * other's way. Nothing depends on it: whoever stands still longer than the lease lasts is held to the
 * number of their claim.
 */
export const withNamesOf = <T>(
  deps: Pick<Deps, 'state' | 'clock'>,
  sellerId: string,
  work: () => Promise<T>,
): Promise<Leased<T>> => withLease(deps, `names/${sellerId}`, NAMES_LEASE_MS, work);

/** Each claim and release is a command of its own: repeated after the opposite, it must happen again. */
const anew = (context: CommandContext): CommandContext => ({ ...context, commandId: v7() });

type Using = Handled<SellerState>;

interface Used {
  readonly used: Using;
  /** The name's stream as the claim left it; null: it was not to be had. */
  readonly claimed: Loaded<BusinessNameState> | null;
}

/**
 * Reserves a name for a seller and has them use it. The claim has a number, and `use` must carry it:
 * between the two others may have found the claim unused and let go of it, and then the seller's own
 * stream refuses that number. In that case the name is claimed once more.
 */
export async function useName(
  { handle, clock }: Pick<Deps, 'handle' | 'clock'>,
  name: string,
  sellerId: string,
  context: CommandContext,
  use: (claim: number) => Promise<Using>,
): Promise<Used> {
  const nameKey = businessNameKey(name);
  for (let claims = 1; ; claims += 1) {
    const at = new Date(clock.now()).toISOString();
    const claim = { type: 'ClaimName', nameKey, businessName: name, sellerId, at } as const;
    const claimed = await handle(businessName, nameId(nameKey), claim, anew(context));
    if (!claimed.ok) return { used: claimed, claimed: null };
    const used = await use(claimed.state.claims);
    const isLost = !used.ok && !used.conflict && used.refusal.code === claimLost.code;
    if (!isLost || claims === CLAIMS_MAX) return { used, claimed: claimed.known };
  }
}

const uses = (state: SellerState, nameKey: string): boolean =>
  state.status === 'registered' && businessNameKey(state.businessName) === nameKey;

/** What was read already of the streams that a release is written to. */
interface ReleaseKnown {
  readonly ofSeller?: Loaded<SellerState>;
  readonly ofName?: Loaded<BusinessNameState>;
}

/**
 * Lets go of a name that the seller does not go by. First the claim is given up in the seller's own
 * stream, where using it is written as well, so that one of the two comes first for everybody; then the
 * name is released, if nobody has claimed it since. The seller's stream as it stands then; null: the name
 * was not released.
 */
export async function releaseUnused(
  { handle, load }: Pick<Deps, 'handle' | 'load'>,
  sellerId: string,
  nameKey: string,
  context: CommandContext,
  known: ReleaseKnown = {},
): Promise<Loaded<SellerState> | null> {
  const ofName = known.ofName ?? (await load(businessName, nameId(nameKey)));
  const { state } = ofName;
  if (state.status === 'free' || state.sellerId !== sellerId) return null;
  const { claims: claim } = state;
  const forgo = { type: 'ForgoName', sellerId, nameKey, claim } as const;
  const forgone = await handle(seller, sellerId, forgo, anew(context), known.ofSeller);
  if (!forgone.ok || uses(forgone.state, nameKey)) return null;
  const release = { type: 'ReleaseName', sellerId, claim } as const;
  const released = await handle(businessName, nameId(nameKey), release, anew(context), ofName);
  return released.ok && released.state.status === 'free' ? forgone.known : null;
}

/**
 * For the sweep: releases a claim that a sign-up or rename left behind, once it is old enough. With the
 * claim of a sign-up that came to nothing goes the password that was kept for it.
 * 'busy': somebody is changing this seller's names; look again later.
 */
export async function releaseUnusedName(
  deps: Pick<Deps, 'handle' | 'load' | 'state' | 'clock' | 'passwords'>,
  { nameKey, sellerId }: { readonly nameKey: string; readonly sellerId: string },
): Promise<'released' | 'kept' | 'busy'> {
  const leased = await withNamesOf(deps, sellerId, async () => {
    // Before the claim is looked at: whoever claims anew keeps their password anew, and that one stays.
    const kept = await deps.passwords.versionOf(sellerId, deps.clock.now());
    const ofName = await deps.load(businessName, nameId(nameKey));
    const claim = ofName.state;
    if (claim.status === 'free' || claim.sellerId !== sellerId) return 'kept';
    if (Date.parse(claim.claimedAt) + UNUSED_CLAIM_MS > deps.clock.now()) return 'kept';
    const commandId = v7();
    const context = contextOf({ commandId, correlationId: commandId }, 'sweep');
    const ofSeller = await releaseUnused(deps, sellerId, nameKey, context, { ofName });
    if (ofSeller === null) return 'kept';
    if (ofSeller.state.status === 'none' && kept !== null)
      await deps.passwords.forget(sellerId, kept);
    return 'released';
  });
  return leased.held ? leased.value : 'busy';
}

interface RegisteredSeller extends ReadSeller {
  readonly facts: SellerFacts;
}

/** The seller who goes by this name now; null: nobody does. */
export async function sellerByName(
  deps: Pick<Deps, 'load' | 'eventStore'>,
  name: string,
): Promise<RegisteredSeller | null> {
  const nameKey = businessNameKey(name);
  const claim = (await deps.load(businessName, nameId(nameKey))).state;
  const sellerId = claim.status === 'held' ? claim.sellerId : 'nobody';
  // Also where nobody holds it, so that both answers take the same time.
  const { facts, known } = await readSellerStream(deps, sellerId);
  return facts !== null && uses(facts.state, nameKey) ? { facts, known } : null;
}

/** Their id. */
export const sellerIdByName = async (
  deps: Pick<Deps, 'load' | 'eventStore'>,
  name: string,
): Promise<string | null> => (await sellerByName(deps, name))?.facts.state.sellerId ?? null;

/** From the name's own stream, so that it is never behind. A reserved name is nobody's to have. */
export const checkBusinessName =
  ({ load }: Pick<Deps, 'load'>): Handler<'checkBusinessName'> =>
  async ({ params }) => {
    const nameKey = businessNameKey(params.businessName);
    const reserved = isReservedBusinessName(params.businessName);
    const { state } = await load(businessName, nameId(nameKey));
    return { status: 200, body: { exists: reserved || state.status === 'held' } };
  };
