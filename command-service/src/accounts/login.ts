import { refuse } from '@oja/http';
import type { Deps, Handler } from '../deps.js';
import { endSessions } from '../security-log.js';
import { createLoginThrottle } from './login-throttle.js';
import { sellerByName } from './names.js';
import { replacePassword } from './password.js';
import { type SellerFacts, userDetailsOf } from './seller-facts.js';
import { signIn } from './session.js';

const tooOften = (seconds: number) =>
  refuse(429, `That was tried too often. Please wait ${seconds} seconds and try again`, {
    headers: { 'Retry-After': String(seconds) },
  });

type Asked = Parameters<Handler<'login'>>[0];

interface Credentials {
  readonly businessName: string;
  readonly password: string;
}

/** The same answer after the same work, whether the name or the password is wrong. */
function createRecognition(deps: Deps) {
  const throttle = createLoginThrottle(deps);
  return async (
    { businessName, password }: Credentials,
    { clientAddress, left }: Pick<Asked, 'clientAddress' | 'left'>,
  ) => {
    const waitSeconds = await throttle.begin(clientAddress, businessName);
    if (waitSeconds > 0) return tooOften(waitSeconds);
    const facts = (await sellerByName(deps, businessName))?.facts ?? null;
    const sellerId = facts?.state.sellerId ?? null;
    const right = await deps.passwords.matches(sellerId, password, deps.clock.now(), {
      address: clientAddress,
      left,
    });
    if (!right || facts === null)
      return refuse(401, 'Wrong business name or password', { code: 'wrong_login' });
    await throttle.succeeded(clientAddress, businessName);
    return facts;
  };
}

async function welcome(deps: Deps, facts: SellerFacts) {
  const { accessToken, cookies } = await signIn(deps, facts.state.sellerId);
  const userDetails = await userDetailsOf(deps, facts);
  return { status: 200, body: { success: true, userDetails, accessToken }, cookies } as const;
}

export function login(deps: Deps): Handler<'login'> {
  const recognise = createRecognition(deps);
  return async (request) => {
    const { body } = request;
    const facts = await recognise(body, request);
    if ('failed' in facts) return facts;
    if (await deps.passwords.isOneTime(facts.state.sellerId, deps.clock.now()))
      return refuse(403, 'This password was given to you for one time: choose your own now', {
        code: 'choose_password',
      });
    return welcome(deps, facts);
  };
}

export function loginWithNewPassword(deps: Deps): Handler<'loginWithNewPassword'> {
  const recognise = createRecognition(deps);
  return async (request) => {
    const { body } = request;
    const facts = await recognise(body, request);
    if ('failed' in facts) return facts;
    const refused = await replacePassword(deps, facts, body.password, body.new_password);
    if (refused !== null) return refused;
    const { sellerId } = facts.state;
    await endSessions(deps, sellerId, {
      actor: sellerId,
      from: request.clientAddress,
      reason: 'password-changed',
    });
    return welcome(deps, facts);
  };
}
