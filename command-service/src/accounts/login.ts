import { refuse } from '@oja/platform';
import type { Deps, Handler } from '../deps.js';
import { sellerIdByName } from './names.js';
import { readSeller, userDetailsOf } from './profile.js';
import { signIn } from './session.js';
import { createSlowing } from './slowing.js';

const tooOften = (seconds: number) =>
  refuse(429, `That was tried too often. Please wait ${seconds} seconds and try again`, {
    headers: { 'Retry-After': String(seconds) },
  });

/** The same answer after the same work, whether the name or the password is wrong. */
export function login(deps: Deps): Handler<'login'> {
  const slowing = createSlowing(deps);
  return async ({ body, clientAddress, left }) => {
    const { businessName, password } = body;
    const waitSeconds = await slowing.begin(clientAddress, businessName);
    if (waitSeconds > 0) return tooOften(waitSeconds);
    const sellerId = await sellerIdByName(deps, businessName);
    const right = await deps.passwords.matches(sellerId, password, deps.clock.now(), {
      address: clientAddress,
      left,
    });
    const facts = right && sellerId !== null ? await readSeller(deps, sellerId) : null;
    if (facts === null)
      return refuse(401, 'Wrong business name or password', { code: 'wrong_login' });
    await slowing.succeeded(clientAddress, businessName);
    const { accessToken, cookies } = await signIn(deps, facts.state.sellerId);
    const userDetails = await userDetailsOf(deps, facts);
    return { status: 200, body: { success: true, userDetails, accessToken }, cookies };
  };
}
