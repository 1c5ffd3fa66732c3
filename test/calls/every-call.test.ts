import { type Actor, type Call, calls, refusalOf } from '@oja/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Market, temporaryFolder } from '../support/market.js';
import { openSampleMarket } from '../support/sample-market.js';
import { type Person, peopleOf, type Role, roles } from './people.js';
import { addressOf, kinds, type Variant, variantsOf } from './variants.js';

/** Each role as the table of calls sees it, without a server. */
const actors: Readonly<Record<Role, Omit<Actor, 'sellerId'> | null>> = {
  'no token': null,
  'expired token': null,
  seller: { role: 'seller', suspended: false },
  'other seller': { role: 'seller', suspended: false },
  suspended: { role: 'seller', suspended: true },
  'sub-admin': { role: 'sub-admin', suspended: false },
  'head admin': { role: 'head-admin', suspended: false },
};

const folder = temporaryFolder();
let market: Market;
let people: Readonly<Record<Role, Person | null>>;

beforeAll(async () => {
  market = await openSampleMarket(folder.path);
  people = await peopleOf(market);
});

afterAll(async () => {
  await market?.stop();
  folder.remove();
});

const signedIn = (role: Role) => role !== 'no token' && role !== 'expired token';

/** Personal answers are not stored by browsers, and linked pages do not learn their address. */
function expectForgotten(call: Call, role: Role, { headers }: Response): void {
  const personal = call.access !== 'anyone' || call.actsOnCookie;
  if (personal || signedIn(role)) expect(headers.get('Cache-Control')).toMatch(/\bno-store\b/);
  if (personal) expect(headers.get('Referrer-Policy')).toBe('no-referrer');
}

async function send(call: Call, role: Role, body?: unknown): Promise<Response> {
  const token = people[role]?.token;
  const answer = await fetch(`${market.url}${addressOf(call)}`, {
    method: call.method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expectForgotten(call, role, answer);
  return answer;
}

/** A failure says in words what is wrong, and names the field where there is one. */
async function expectRefused(answer: Response, { names, what }: Variant): Promise<void> {
  const text = await answer.text();
  expect(answer.status, `${what}: ${text}`).toBeGreaterThanOrEqual(400);
  expect(answer.status, `${what}: ${text}`).toBeLessThan(500);
  const failure = JSON.parse(text) as { success: boolean; message: string };
  expect(failure.success).toBe(false);
  expect(failure.message).not.toBe('');
  if (names !== null && answer.status === 400) expect(text).toContain(names);
}

const everyCall: readonly Call[] = Object.values(calls);

describe.each(everyCall.map((call) => [call.name, call] as const))('%s', (_, call) => {
  for (const role of roles) {
    const actor = actors[role];
    const refusal = refusalOf(call, actor && { sellerId: 'x', ...actor });

    if (refusal)
      it(`is not for ${role}`, async () => {
        const answer = await send(call, role, call.body ? {} : undefined);
        // On this one answer a page refreshes its token and tries again.
        expect(answer.status).toBe(role === 'expired token' ? 403 : refusal.status);
        if (role === 'expired token')
          expect(await answer.clone().json()).toMatchObject({ code: 'token_expired' });
        await expectRefused(answer, { what: role, body: {}, names: null });
      });
    else
      it(`never breaks for ${role}`, async () => {
        const answer = await send(call, role, call.body ? {} : undefined);
        expect(answer.status, await answer.text()).toBeLessThan(500);
      });

    for (const kind of kinds) {
      const variants = variantsOf(call, kind);
      if (variants.length === 0) continue;
      it(`lets nothing in from ${role} with something ${kind}`, async () => {
        for (const variant of variants)
          await expectRefused(await send(call, role, variant.body), variant);
      });
    }
  }
});
