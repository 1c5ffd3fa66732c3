import { isDeepStrictEqual } from 'node:util';
import { type BodyOf, type Calls, calls } from '@oja/contracts';
import { businessNameKey, seller, sellerActor } from '@oja/domain';
import { type CallAnswer, invalidFields, notYours, parseWith } from '@oja/http';
import {
  conflictAnswer,
  contextFor,
  failedAnswer,
  missingFieldNames,
  missingFieldsAnswer,
} from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { type Changed, hasChanged } from '../security-log.js';
import { releaseName, useName, withNameLease } from './names.js';
import { createPasswordCheck } from './password.js';
import { clientOf } from './passwords.js';
import {
  factsAfter,
  payoutAccountOf,
  profileOf,
  readSellerStream,
  sealForSeller,
} from './seller-facts.js';

/** Name and phone number follow the same rules as at sign-up. */
const profileSchema = calls.register.body.pick({ name: true, businessName: true, phone_1: true });
type ProfileChange = Omit<BodyOf<Calls['register']>, 'password'>;
type Request = Parameters<Handler<'updateProfile'>>[0];

/** Updates the caller's own profile. All three fields are required. */
export const updateProfile =
  (deps: Deps): Handler<'updateProfile'> =>
  async (request) => {
    const { params, body, actor } = request;
    if (params.userId !== actor.sellerId) return notYours();
    const { businessName, name, phone_1 } = body;
    const missing = missingFieldNames({ businessName, name, phone_1 });
    if (missing.length > 0) return missingFieldsAnswer(missing);
    const parsed = parseWith(profileSchema, body, 'body');
    if (!parsed.ok) return { failed: invalidFields(parsed.errors) };
    const leased = await withNameLease(deps, actor.sellerId, () =>
      rename(deps, request, parsed.value),
    );
    return leased.held ? leased.value : conflictAnswer();
  };

/**
 * Claims the new name, updates the profile, and releases the old name. A crash in between leaves
 * the seller with their current name and at most one unused claim, which the sweep releases.
 */
async function rename(
  deps: Deps,
  request: Request,
  { name, businessName, phone_1 }: ProfileChange,
): Promise<CallAnswer<Calls['updateProfile']>> {
  const { sellerId } = request.actor;
  const context = contextFor(request, sellerActor(sellerId));
  const { facts: before, known } = await readSellerStream(deps, sellerId);
  if (before === null) return notYours();
  const update = async (claim?: number) => {
    const sealed = await sealForSeller(deps, sellerId, { name, phone: phone_1 });
    const command = { type: 'UpdateProfile', businessName, ...sealed } as const;
    return deps.handle(
      seller,
      sellerId,
      claim === undefined ? command : { ...command, claim },
      context,
      known,
    );
  };
  const [from, to] = [businessNameKey(before.state.businessName), businessNameKey(businessName)];
  const { used: updated, claimed } =
    from === to
      ? { used: await update(), claimed: null }
      : await useName(deps, businessName, sellerId, context, update);
  const ofSeller = updated.ok ? updated.known : known;
  const inUse = ofSeller.state.status === 'registered' ? ofSeller.state.businessName : null;
  // After a rename, release the old name. If the update failed, or a concurrent rename won, release the new name.
  if (inUse !== null && businessNameKey(inUse) !== from)
    await releaseName(deps, sellerId, from, context, { ofSeller });
  if (claimed !== null && (inUse === null || businessNameKey(inUse) !== to))
    await releaseName(deps, sellerId, to, context, { ofSeller, ofName: claimed });
  if (!updated.ok) return failedAnswer(updated);
  const after = factsAfter(before, updated);
  return {
    status: 200,
    body: { success: true, userDetails: await profileOf(deps, after) },
    position: after.position,
  };
}

/**
 * Sets the caller's bank account for payouts; it is sealed. The password is required again. An account that is already
 * theirs is not set again: sellers are alarmed when theirs is replaced.
 */
export function setPayoutAccount(deps: Deps) {
  const check = createPasswordCheck(deps);
  return async (
    request: Parameters<Handler<'setPayoutAccount'>>[0],
  ): Promise<Changed<'setPayoutAccount'>> => {
    const { sellerId } = request.actor;
    const { account_name, account_number, bank_code, password } = request.body;
    const wrong = await check(sellerId, 'password', password, clientOf(request));
    if (wrong !== null) return wrong;
    const saved = { status: 200, body: { success: true } } as const;
    const { facts, known } = await readSellerStream(deps, sellerId);
    const before = facts && (await payoutAccountOf(deps, facts));
    const account = { name: account_name, accountNumber: account_number, bankCode: bank_code };
    if (isDeepStrictEqual(before, account))
      return { ...saved, position: known.position, changed: false };
    const { name: accountName, ...where } = account;
    const sealed = await sealForSeller(deps, sellerId, { accountName, ...where });
    const handled = await deps.handle(
      seller,
      sellerId,
      { type: 'SetPayoutAccount', ...sealed },
      contextFor(request, sellerActor(sellerId)),
      known,
    );
    if (!handled.ok) return failedAnswer(handled);
    return { ...saved, position: handled.position, changed: hasChanged(handled) };
  };
}
