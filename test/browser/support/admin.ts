import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { Client } from '../../support/client.js';
import { type Market, runOja, temporaryFolder } from '../../support/market.js';
import { openSampleMarket } from '../../support/sample-market.js';
import { freshPage, logIn } from './seller.js';

/** The sample seller that these tests make the head admin. */
export const HEAD_ADMIN = 'Adunni Textiles';
/** The person's name in histories. */
export const HEAD_ADMIN_PERSON = 'Adunni Bakare';
const SAMPLE_PASSWORD = 'market-day';

export interface AdminMarket extends Market {
  /** Stops the market and removes its data. */
  close(): Promise<void>;
}

/** A market with sample goods whose operator has appointed the head admin. */
export async function openAdminMarket(
  env: Readonly<Record<string, string>> = {},
): Promise<AdminMarket> {
  const folder = temporaryFolder();
  const market = await openSampleMarket(folder.path, env);
  const settings = { PORT: `${market.port}`, DATA_DIR: folder.path };
  expect(await runOja(['admin', 'grant', HEAD_ADMIN], settings).exited).toBe(0);
  return {
    ...market,
    async close() {
      expect(await market.stop()).toBe(0);
      folder.remove();
    },
  };
}

/** Signs in through the login form; ends on the person's first page. */
export async function signIn(
  browser: Browser,
  { url }: Market,
  businessName: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await freshPage(browser, options);
  await page.goto(`${url}/login`);
  await logIn(page, businessName, SAMPLE_PASSWORD);
  await expect(page).toHaveURL(/dashboard$/);
  return page;
}

export interface SignedIn {
  readonly client: Client;
  readonly id: string;
}

/** Signs in through the API, to call the server directly. */
export async function signedIn({ url }: Market, businessName: string): Promise<SignedIn> {
  const client = new Client(url);
  const answer = await client.call<{ accessToken: string; userDetails: { user_id: string } }>(
    200,
    'POST',
    '/v1/login',
    { businessName, password: SAMPLE_PASSWORD },
  );
  client.token = answer.accessToken;
  return { client, id: answer.userDetails.user_id };
}
