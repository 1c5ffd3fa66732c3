import { createHash } from 'node:crypto';
import {
  businessName,
  businessNameKey,
  type SellerState,
  seller,
  UNUSED_CLAIM_MS,
} from '@oja/domain';
import type { CommandContext } from '@oja/platform';
import { v7 } from 'uuid';
import { contextOf } from '../commands.js';
import type { Deps } from '../deps.js';
import { type Leased, withLease } from '../lease.js';

/** How long a sign-up or a rename may take before others may change that seller's names, in milliseconds. */
const NAMES_LEASE_MS = 15_000;

/** The id of a name's stream. */
export const nameId = (nameKey: string): string =>
  createHash('sha256').update(nameKey).digest('hex');

/**
 * A seller's names are claimed, used and let go by one at a time: otherwise a rename back could count
 * on a claim that an earlier rename, or the sweep, is just releasing.
 */
export const withNamesOf = <T>(
  deps: Pick<Deps, 'state' | 'clock'>,
  sellerId: string,
  work: () => Promise<T>,
): Promise<Leased<T>> => withLease(deps, `names/${sellerId}`, NAMES_LEASE_MS, work);

/** Each claim and release is a command of its own: repeated after the opposite, it must happen again. */
const anew = (context: CommandContext): CommandContext => ({ ...context, commandId: v7() });

/** Reserves a name for a seller; nothing happens where they hold it. */
export function claimName(
  { handle, clock }: Pick<Deps, 'handle' | 'clock'>,
  name: string,
  sellerId: string,
  context: CommandContext,
) {
  const nameKey = businessNameKey(name);
  return handle(
    businessName,
    nameId(nameKey),
    {
      type: 'ClaimName',
      nameKey,
      businessName: name,
      sellerId,
      at: new Date(clock.now()).toISOString(),
    },
    anew(context),
  );
}

const uses = (state: SellerState, nameKey: string): boolean =>
  state.status === 'registered' && businessNameKey(state.businessName) === nameKey;

/** Lets go of those of these names that the seller does not go by. Under the seller's lease only. */
export async function releaseUnused(
  { handle, load }: Pick<Deps, 'handle' | 'load'>,
  sellerId: string,
  nameKeys: readonly string[],
  context: CommandContext,
): Promise<void> {
  const { state } = await load(seller, sellerId);
  for (const nameKey of nameKeys) {
    if (uses(state, nameKey)) continue;
    await handle(businessName, nameId(nameKey), { type: 'ReleaseName', sellerId }, anew(context));
  }
}

/**
 * For the sweep: releases a claim that a sign-up or rename left behind, once it is old enough.
 * 'busy': somebody is changing this seller's names; look again later.
 */
export async function releaseUnusedName(
  deps: Pick<Deps, 'handle' | 'load' | 'state' | 'clock'>,
  { nameKey, sellerId }: { readonly nameKey: string; readonly sellerId: string },
): Promise<'released' | 'kept' | 'busy'> {
  const leased = await withNamesOf(deps, sellerId, async () => {
    const claim = (await deps.load(businessName, nameId(nameKey))).state;
    if (claim.status === 'free' || claim.sellerId !== sellerId) return 'kept';
    const young = Date.parse(claim.claimedAt) + UNUSED_CLAIM_MS > deps.clock.now();
    if (young || uses((await deps.load(seller, sellerId)).state, nameKey)) return 'kept';
    const commandId = v7();
    const context = contextOf({ commandId, correlationId: commandId }, 'sweep');
    await releaseUnused(deps, sellerId, [nameKey], context);
    return 'released';
  });
  return leased.held ? leased.value : 'busy';
}

/** The id of the seller who goes by this name now; null: nobody does. */
export async function sellerIdByName(
  { load }: Pick<Deps, 'load'>,
  name: string,
): Promise<string | null> {
  const nameKey = businessNameKey(name);
  const claim = (await load(businessName, nameId(nameKey))).state;
  const sellerId = claim.status === 'held' ? claim.sellerId : 'nobody';
  // Also where nobody holds it, so that both answers take the same time.
  const { state } = await load(seller, sellerId);
  return uses(state, nameKey) ? sellerId : null;
}
