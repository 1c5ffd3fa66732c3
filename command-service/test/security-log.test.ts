import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { grantHeadAdmin, resetPassword } from '@oja/command-service';
import { seller } from '@oja/domain';
import { createLogger, type OpenLogger, securityEvents } from '@oja/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Market, openMarket, person, type Seller } from './support/market.js';

const ADDRESS = '203.0.113.9';
const ACCOUNT_NUMBER = '0123456789';
const EMAIL = 'ada@letters.example';
/** A password that is also typed into the business name field, as people do by mistake. */
const TYPED = 'hunter2-typed-in-the-wrong-field';

let folder: string;
let logger: OpenLogger;
let market: Market;
let ada: Seller;
let admin: Seller;
const secrets = new Set<string>([ACCOUNT_NUMBER, EMAIL, TYPED, person.name, person.phone_1]);

interface Line {
  readonly log?: string;
  readonly level: string;
  readonly event: string;
  readonly outcome: string;
  readonly actor: string | null;
  readonly from: string | null;
  readonly subject?: string;
  readonly reason?: string;
  readonly sessions?: number;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oja-security-'));
  logger = createLogger({ level: 'debug', service: 'test', file: join(folder, 'log') });
  market = await openMarket({ demo: false, logger });
  ada = await market.register('Ada Bags');
  admin = await market.headAdmin('Market Mother');
  for (const { password, token, cookie } of [ada, admin])
    for (const secret of [password, token, cookie]) secrets.add(secret);
});
afterAll(async () => {
  await market.close();
  rmSync(folder, { recursive: true });
});

const call = (method: string, path: string, more: object = {}) =>
  market.call(method, path, { headers: { 'X-Forwarded-For': ADDRESS }, ...more });
const login = (businessName: string, password: string) =>
  call('POST', '/v1/login', { body: { businessName, password } });

/** Six digits that are not the code in the letter. */
async function notTheCode(): Promise<string> {
  const { state } = await market.deps.load(seller, ada.id);
  const asked = state.status === 'none' ? null : state.letters.asked;
  const code = asked && (await market.deps.sealer.open(`seller-${ada.id}`, 'code', asked.code));
  return code === '000000' ? '111111' : '000000';
}

it('tells of who got in, who did not and who was given what, and of no secret', async () => {
  const account = {
    ...{ account_name: person.name, account_number: ACCOUNT_NUMBER, bank_code: '058' },
    password: ada.password,
  };
  await login(ada.businessName, ada.password);
  await login(ada.businessName, TYPED);
  await login(TYPED, ada.password);
  await call('PUT', '/v1/user/payout-account', { token: ada.token, body: account });
  // Once more changes nothing, and leaves no line.
  await call('PUT', '/v1/user/payout-account', { token: ada.token, body: account });
  await call('PUT', '/v1/user/payout-account', {
    token: ada.token,
    body: { ...account, password: TYPED },
  });
  const address = '/v1/user/letters/address';
  const asked = { email: EMAIL, password: ada.password };
  await call('POST', address, { token: ada.token, body: asked });
  await call('POST', address, { token: ada.token, body: { ...asked, password: TYPED } });
  await call('PUT', address, { token: ada.token, body: { code: await notTheCode() } });
  await call('DELETE', address, { token: ada.token });
  const passwords = { old_password: ada.password, new_password: 'another long enough one' };
  secrets.add(passwords.new_password);
  await call('PUT', '/v1/user/password', { token: ada.token, body: passwords });
  // No other session is left to end, so none is logged as ended.
  const back = { old_password: passwords.new_password, new_password: 'a third one, long enough' };
  secrets.add(back.new_password);
  await call('PUT', '/v1/user/password', { token: ada.token, body: back });
  const cookie = (await login(ada.businessName, back.new_password)).cookie ?? '';
  secrets.add(cookie);
  await call('DELETE', '/v1/logout', { cookie });
  await call('DELETE', '/v1/logout', { cookie });
  const suspend = `/v1/user/${ada.id}/toggle-suspended`;
  await call('PUT', suspend, { token: admin.token });
  await call('PUT', suspend, { token: admin.token });
  await call('PUT', `/v1/user/${admin.id}/toggle-suspended`, { token: admin.token });
  const subAdmin = `/v1/update-subAdmin?sellerId=${ada.id}&isSubAdmin=true`;
  await call('PUT', subAdmin, { token: admin.token });
  // Once more changes nothing, and leaves no line.
  await call('PUT', subAdmin, { token: admin.token });
  // Two clients hold the same cookie. The second use, more than a minute later, ends the session family.
  await call('GET', '/v1/refresh-token', { cookie: admin.cookie });
  market.clock.time += 61_000;
  await call('GET', '/v1/refresh-token', { cookie: admin.cookie });
  await grantHeadAdmin(market.deps, ada.id);
  // Once more changes nothing, and leaves no line.
  await grantHeadAdmin(market.deps, ada.id);
  const reset = await resetPassword(market.deps, ada.id);
  if (!reset.ok) throw new Error(reset.message);
  secrets.add(reset.password);
  await call('POST', '/v1/login/new-password', {
    body: {
      businessName: ada.businessName,
      password: reset.password,
      new_password: 'the last one, long enough',
    },
  });
  const letter = { name: 'N', email: 'n@example.com', subject: 'Hello', message: 'Again' };
  for (let n = 0; n < 11; n += 1) await call('POST', '/v1/email/sendEmail', { body: letter });
  await logger.close();

  const text = readFileSync(join(folder, 'log'), 'utf8');
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Line => JSON.parse(line))
    .filter(({ log }) => log === 'security');
  const told = lines.map(({ event, outcome, actor, from, subject = '', reason = '', sessions }) =>
    [event, outcome, actor, from, subject, reason, ...(sessions ? [sessions] : [])].join(' '),
  );
  const [a, m, at] = [ada.id, admin.id, ADDRESS];
  expect(told.slice(3)).toEqual([
    `sign-in granted ${a} ${at}  `,
    `sign-in refused  ${at} ${a} wrong_login`,
    `sign-in refused  ${at}  wrong_login`,
    `bank-details-changed granted ${a} ${at}  `,
    `bank-details-changed refused ${a} ${at}  wrong_password`,
    `letter-address-asked granted ${a} ${at}  `,
    `letter-address-asked refused ${a} ${at}  wrong_password`,
    `letter-address-changed refused ${a} ${at}  wrong_email_code`,
    `letter-address-changed granted ${a} ${at}  removed`,
    // The session of the earlier sign-in; the session that changed the password is kept.
    `session-ended granted ${a} ${at}  password-changed 1`,
    `password-changed granted ${a} ${at}  `,
    `password-changed granted ${a} ${at}  `,
    `sign-in granted ${a} ${at}  `,
    `session-ended granted ${a} ${at}  logout`,
    `suspension-changed granted ${m} ${at} ${a} suspended`,
    `suspension-changed granted ${m} ${at} ${a} reinstated`,
    `suspension-changed refused ${m} ${at}  yourself`,
    `sub-admin-changed granted ${m} ${at} ${a} made`,
    `session-ended refused  ${at} ${m} cookie-used-twice`,
    `head-admin-changed granted operator  ${a} made`,
    `password-reset granted operator  ${a} `,
    `session-ended granted operator  ${a} password-reset 1`,
    `sign-in granted ${a} ${at}  `,
    `limit-hit refused  ${at}  contact`,
  ]);
  // Two sellers signed up, and the operator made one of them head admin.
  expect(told.slice(0, 3).map((line) => line.split(' ', 2).join(' '))).toEqual([
    'sign-up granted',
    'sign-up granted',
    'head-admin-changed granted',
  ]);
  for (const { event, outcome, level } of lines) {
    expect(securityEvents).toContain(event);
    expect(level).toBe(outcome === 'granted' ? 'info' : 'warn');
  }
  // Keys are rotated with the CLI (see the tests of `oja keys`); services log all other events.
  const fromServices = securityEvents.filter((event) => event !== 'keys-rotated');
  expect(new Set(lines.map(({ event }) => event))).toEqual(new Set(fromServices));
  for (const secret of secrets) expect(text).not.toContain(secret);
});
