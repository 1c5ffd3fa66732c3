import { runOja } from '../support/market.js';
import { Caller, field } from './caller.js';
import type { Roles } from './roles.js';

/** A sample seller; the samples are the same for every seed. */
const HEAD_ADMIN = 'Adunni Textiles';
const PASSWORD = 'market-day';

/** The market's own staff. */
export interface Staff {
  /** Settles a dispute about one seller's goods. */
  settle(transactionId: string, sellerId: string, outcome: 'release' | 'refund'): Promise<void>;
}

async function oja(roles: Roles, args: readonly string[]): Promise<void> {
  const command = runOja(args, roles.env);
  if ((await command.exited) !== 0)
    throw new Error(`oja ${args.join(' ')} failed:\n${command.lines.join('\n')}`);
}

/** Signs in as a sample seller; returns the user id. */
export async function signIn(caller: Caller, businessName: string): Promise<string> {
  const body = { businessName, password: PASSWORD };
  const told = await caller.persist({ method: 'POST', path: '/v1/login', body });
  const token = field(told.body, 'accessToken');
  if (typeof token !== 'string') throw new Error(`${businessName} cannot sign in: ${told.status}`);
  caller.client.token = token;
  return String(field(told.body, 'userDetails', 'user_id'));
}

/** Makes sample sellers and goods, and appoints a head admin. */
export async function hireStaff(roles: Roles, sellers: number, products: number): Promise<Staff> {
  const size = ['--sellers', `${sellers}`, '--products', `${products}`, '--orders', '0'];
  await oja(roles, ['seed', ...size]);
  await oja(roles, ['admin', 'grant', HEAD_ADMIN]);
  const admin = new Caller(roles.origin);
  let signingIn = signIn(admin, HEAD_ADMIN);
  await signingIn;
  return {
    async settle(transactionId, sellerId, outcome) {
      for (let tries = 0; tries < 3; tries += 1) {
        const { status } = await admin.persist({
          method: 'POST',
          path: `/v1/transactions/${transactionId}/resolve`,
          body: { sellerId, outcome },
        });
        if (status !== 401 && status !== 403) return;
        // The clock has moved past the ten minutes of the token.
        signingIn = signingIn.then(() => signIn(admin, HEAD_ADMIN));
        await signingIn;
      }
    },
  };
}

/** Gives every seller of the goods bank details. */
export async function openAccounts(
  origin: string,
  businessNames: readonly string[],
): Promise<void> {
  for (const businessName of businessNames) {
    const seller = new Caller(origin);
    await signIn(seller, businessName);
    const account = {
      account_name: businessName,
      account_number: '0123456789',
      bank_code: '058',
      password: PASSWORD,
    };
    const told = await seller.persist({
      method: 'PUT',
      path: '/v1/user/payout-account',
      body: account,
    });
    if (told.status !== 200) throw new Error(`${businessName} has no account: ${told.status}`);
  }
}
