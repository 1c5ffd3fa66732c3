import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccessTokens } from '@oja/platform';
import { type Market, runOja } from '../support/market.js';

export const roles = [
  'no token',
  'expired token',
  'seller',
  'other seller',
  'suspended',
  'sub-admin',
  'head admin',
] as const;
export type Role = (typeof roles)[number];

export interface Person {
  readonly sellerId: string;
  readonly token: string;
}

async function registered(url: string, businessName: string): Promise<Person> {
  const answer = await fetch(`${url}/v1/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'A person for tests',
      businessName,
      phone_1: '07000000001',
      password: 'a long enough secret',
    }),
  });
  if (answer.status !== 201) throw new Error(`not registered: ${await answer.text()}`);
  const body = (await answer.json()) as {
    accessToken: string;
    data: { data: { user_id: string } };
  };
  return { sellerId: body.data.data.user_id, token: body.accessToken };
}

/** The person with a token that this market issued an hour ago. */
async function anHourLater({ sellerId }: Person, { dataDir }: Market): Promise<Person> {
  const secrets = readFileSync(join(dataDir, 'secrets.json'), 'utf8');
  const { tokenSecret } = JSON.parse(secrets) as { tokenSecret: string };
  const claims = { subject: sellerId, session: 'of an hour ago' };
  const token = await createAccessTokens(tokenSecret).issue(claims, Date.now() - 3_600_000);
  return { sellerId, token };
}

/** Creates one person of each role through the same calls and commands that people use. */
export async function peopleOf(market: Market): Promise<Readonly<Record<Role, Person | null>>> {
  const { url, dataDir } = market;
  const head = await registered(url, 'Head of the Market');
  const granted = runOja(['admin', 'grant', 'Head of the Market'], {
    DATA_DIR: dataDir,
    PORT: new URL(url).port,
  });
  if ((await granted.exited) !== 0) throw new Error(granted.lines.join('\n'));
  const suspended = await registered(url, 'Suspended Store');
  const subAdmin = await registered(url, 'Helping Hand');
  const asHead = async (path: string) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${head.token}` },
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  };
  await asHead(`/v1/user/${suspended.sellerId}/toggle-suspended`);
  await asHead(`/v1/update-subAdmin?sellerId=${subAdmin.sellerId}&isSubAdmin=true`);
  const seller = await registered(url, 'First Store');
  return {
    'no token': null,
    'expired token': await anHourLater(seller, market),
    seller,
    'other seller': await registered(url, 'Second Store'),
    suspended,
    'sub-admin': subAdmin,
    'head admin': head,
  };
}
