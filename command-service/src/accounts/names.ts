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
  usesName,
} from '@oja/domain';
import {
  type CommandContext,
  type CommandResult,
  type LeaseResult,
  type Loaded,
  nowOf,
  withLease,
} from '@oja/platform';
import { v7 } from 'uuid';
import { contextFor } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { type ReadSeller, readSellerStream, type SellerFacts } from './seller-facts.js';

/** How long a sign-up or rename may hold the lease on its seller's names. Milliseconds. */
const NAMES_LEASE_MS = 15_000;
/** How many times a claim is made when it is lost before it is used. */
const CLAIMS_MAX = 3;

/** The stream id of a business name, given its folded key. */
export const nameId = (nameKey: string): string =>
  createHash('sha256').update(nameKey).digest('hex');

/**
 * Runs `work` under a lease on the seller's names, so that concurrent requests seldom collide. Correctness does
 * not depend on the lease: a process that outlives it is still bound by its claim number.
 */
export const withNameLease = <T>(
  deps: Pick<Deps, 'state' | 'clock'>,
  sellerId: string,
  work: () => Promise<T>,
): Promise<LeaseResult<T>> => withLease(deps, `names/${sellerId}`, NAMES_LEASE_MS, work);

/**
 * Gives each claim and release its own command id. After the opposite has happened, a repeated
 * command must take effect again.
 */
const withFreshId = (context: CommandContext): CommandContext => ({ ...context, commandId: v7() });

type UseResult = CommandResult<SellerState>;

interface NameUse {
  readonly used: UseResult;
  /** The name's stream after the claim; null when the claim was refused. */
  readonly claimed: Loaded<BusinessNameState> | null;
}

/**
 * Claims a name for a seller and then calls `use`, which must pass on the number of the claim.
 * Between the two, another process may release the claim as unused; the seller's own stream then
 * refuses that number, and the name is claimed again.
 */
export async function useName(
  { handle, clock }: Pick<Deps, 'handle' | 'clock'>,
  name: string,
  sellerId: string,
  context: CommandContext,
  use: (claim: number) => Promise<UseResult>,
): Promise<NameUse> {
  const nameKey = businessNameKey(name);
  for (let claims = 1; ; claims += 1) {
    const at = nowOf({ clock });
    const claim = { type: 'ClaimName', nameKey, businessName: name, sellerId, at } as const;
    const claimed = await handle(businessName, nameId(nameKey), claim, withFreshId(context));
    if (!claimed.ok) return { used: claimed, claimed: null };
    const used = await use(claimed.state.claims);
    const isLost = !used.ok && !used.conflict && used.refusal.code === claimLost.code;
    if (!isLost || claims === CLAIMS_MAX) return { used, claimed: claimed.known };
  }
}

/** Streams that the caller has already read, for the commands that release a name. */
interface ReleaseKnown {
  readonly ofSeller?: Loaded<SellerState>;
  readonly ofName?: Loaded<BusinessNameState>;
}

/**
 * Releases a name that the seller does not use. It first gives up the claim in the seller's own stream, where a
 * use of the name is also recorded, so that the two are ordered. Then it releases the name, unless it was claimed
 * again meanwhile. Returns the seller's stream; null when the name was not released.
 */
export async function releaseName(
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
  const forgone = await handle(seller, sellerId, forgo, withFreshId(context), known.ofSeller);
  if (!forgone.ok || usesName(forgone.state, nameKey)) return null;
  const release = { type: 'ReleaseName', sellerId, claim } as const;
  const released = await handle(
    businessName,
    nameId(nameKey),
    release,
    withFreshId(context),
    ofName,
  );
  return released.ok && released.state.status === 'free' ? forgone.known : null;
}

/**
 * For the sweep: releases an old claim that a sign-up or rename left unused. If the sign-up failed, the password
 * that was stored for it is deleted too. 'busy': another process is changing this seller's names; try again later.
 */
export async function releaseExpiredClaim(
  deps: Pick<Deps, 'handle' | 'load' | 'state' | 'clock' | 'passwords'>,
  { nameKey, sellerId }: { readonly nameKey: string; readonly sellerId: string },
): Promise<'released' | 'kept' | 'busy'> {
  const leased = await withNameLease(deps, sellerId, async () => {
    // Read before the claim: a sign-up that claims again also stores its password again, and that
    // version must stay.
    const kept = await deps.passwords.versionOf(sellerId, deps.clock.now());
    const ofName = await deps.load(businessName, nameId(nameKey));
    const claim = ofName.state;
    if (claim.status === 'free' || claim.sellerId !== sellerId) return 'kept';
    if (Date.parse(claim.claimedAt) + UNUSED_CLAIM_MS > deps.clock.now()) return 'kept';
    const commandId = v7();
    const context = contextFor({ commandId, correlationId: commandId }, 'sweep');
    const ofSeller = await releaseName(deps, sellerId, nameKey, context, { ofName });
    if (ofSeller === null) return 'kept';
    if (ofSeller.state.status === 'none' && kept !== null)
      await deps.passwords.forget(sellerId, kept);
    return 'released';
  });
  return leased.held ? leased.value : 'busy';
}

export interface RegisteredSeller extends ReadSeller {
  readonly facts: SellerFacts;
}

/** The seller who uses this name now; null when there is none. */
export async function sellerByName(
  deps: Pick<Deps, 'load' | 'eventStore'>,
  name: string,
): Promise<RegisteredSeller | null> {
  const nameKey = businessNameKey(name);
  const claim = (await deps.load(businessName, nameId(nameKey))).state;
  const sellerId = claim.status === 'held' ? claim.sellerId : 'nobody';
  // Read a stream even when nobody holds the name, so that both cases take the same time.
  const { facts, known } = await readSellerStream(deps, sellerId);
  return facts !== null && usesName(facts.state, nameKey) ? { facts, known } : null;
}

/** The id of the seller who uses this name; null when there is none. */
export const sellerIdByName = async (
  deps: Pick<Deps, 'load' | 'eventStore'>,
  name: string,
): Promise<string | null> => (await sellerByName(deps, name))?.facts.state.sellerId ?? null;

/** Read from the name's own stream, so it is never out of date. Reserved names count as taken. */
export const checkBusinessName =
  ({ load }: Pick<Deps, 'load'>): Handler<'checkBusinessName'> =>
  async ({ params }) => {
    const nameKey = businessNameKey(params.businessName);
    const reserved = isReservedBusinessName(params.businessName);
    const { state } = await load(businessName, nameId(nameKey));
    return { status: 200, body: { exists: reserved || state.status === 'held' } };
  };
