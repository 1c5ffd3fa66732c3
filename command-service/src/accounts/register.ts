import type { Calls } from '@oja/contracts';
import { type SellerState, seller, sellerActor } from '@oja/domain';
import { type CallAnswer, refuse } from '@oja/http';
import type { Loaded } from '@oja/platform';
import { conflictAnswer, contextFor, derivedId, failedAnswer } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { type SignedIn, signIn, signInUnlessReplaced } from './login.js';
import { useName, withNameLease } from './names.js';
import { createPasswordCheck, refusedPassword } from './password.js';
import { clientOf } from './passwords.js';
import {
  factsAfter,
  readSellerStream,
  type SellerFacts,
  sealForSeller,
  userDetailsOf,
} from './seller-facts.js';

type Request = Parameters<Handler<'register'>>[0];
type Answer = CallAnswer<Calls['register']>;

/**
 * Registers a seller: claims the name, stores the password, then registers. In this order a crash
 * leaves at most a claim, which the sweep releases, and never a seller without a name or password.
 * The seller's id is derived from the command id, so a repeated request finds its own result.
 */
export const register = (deps: Deps): Handler<'register'> => {
  // Apart from the owner's own: whoever signed up must not keep them from choosing another password.
  const check = createPasswordCheck(deps, 'registered-password');
  return async (request) => {
    const sellerId = derivedId(request.commandId, 'seller');
    const leased = await withNameLease(deps, sellerId, async () => {
      const { facts, known } = await readSellerStream(deps, sellerId);
      return facts === null
        ? beginRegistration(deps, sellerId, request, known)
        : repeatRegistration(deps, facts, request, check);
    });
    return leased.held ? leased.value : conflictAnswer();
  };
};

async function beginRegistration(
  deps: Deps,
  sellerId: string,
  request: Request,
  known: Loaded<SellerState>,
): Promise<Answer> {
  const { name, phone_1, businessName, password } = request.body;
  const refused = await refusedPassword('password', password, { name, businessName });
  if (refused !== null) return refused;
  const context = contextFor(request, sellerActor(sellerId));
  // Hash before anything is claimed, because the hash queue may be full.
  const hashed = await deps.passwords.hash(password, clientOf(request));
  let kept: number | null = null;
  const { used } = await useName(deps, businessName, sellerId, context, async (claim) => {
    kept = await deps.passwords.keep(sellerId, hashed, deps.clock.now());
    const sealed = await sealForSeller(deps, sellerId, { name, phone: phone_1 });
    const command = { type: 'RegisterSeller', sellerId, claim, businessName, ...sealed } as const;
    return deps.handle(seller, sellerId, command, context, known);
  });
  if (used.ok) return registeredAnswer(deps, factsAfter(null, used), await signIn(deps, sellerId));
  // No seller was registered under this id, so delete the stored password.
  if (!used.conflict && kept !== null) await deps.passwords.forget(sellerId, kept);
  return failedAnswer(used);
}

/**
 * The first answer was lost. A request with the right password gets it again. Whoever signed up may send it long after
 * the store has become somebody else's, so wrong passwords slow it down.
 */
async function repeatRegistration(
  deps: Deps,
  facts: SellerFacts,
  request: Request,
  check: ReturnType<typeof createPasswordCheck>,
): Promise<Answer> {
  const { sellerId } = facts.state;
  const version = await deps.passwords.versionOf(sellerId, deps.clock.now());
  const wrong = await check(sellerId, 'password', request.body.password, clientOf(request));
  if (wrong?.failed.status === 429) return wrong;
  if (wrong === null) {
    const signedIn = await signInUnlessReplaced(deps, sellerId, version);
    if (signedIn !== null) return registeredAnswer(deps, facts, signedIn);
  }
  return refuse(409, 'You are registered already; please log in', { code: 'registered' });
}

async function registeredAnswer(
  deps: Deps,
  facts: SellerFacts,
  { accessToken, cookies }: SignedIn,
): Promise<Answer> {
  const details = await userDetailsOf(deps, facts);
  return {
    status: 201,
    body: { success: true, data: { name: details.name ?? '', data: details }, accessToken },
    cookies,
    position: facts.position,
  };
}
