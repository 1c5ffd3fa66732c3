import { expect, type Page } from '@playwright/test';
import { Caller, field } from '../../chaos/caller.js';
import { createClock } from '../../chaos/clock.js';
import { openEngines } from '../../chaos/engines.js';
import { eventCounts } from '../../chaos/log-books.js';
import { createProvider, secretOf } from '../../chaos/provider.js';
import { lettersIn, runOja, temporaryFolder } from '../../support/market.js';
import { openSampleMarket } from '../../support/sample-market.js';

/** A sample store; it is made the head admin where a test needs one. */
export const STORE = 'Adunni Textiles';
const PASSWORD = 'market-day';

export interface Goods {
  readonly product_id: string;
  readonly user_id: string;
  readonly prod_name: string;
  readonly businessName: string;
  readonly price: number;
}

export type MoneyMarket = Awaited<ReturnType<typeof openMoneyMarket>>;

/** A market with samples, a clock that can be moved on, and a payment provider that the test controls. */
export async function openMoneyMarket() {
  const [folder, clocks] = [temporaryFolder(), temporaryFolder()];
  const clock = createClock(clocks.path);
  const running = await openSampleMarket(folder.path, clock.env);
  const { url, port } = running;
  const env = { PORT: `${port}`, DATA_DIR: folder.path, ...clock.env };

  return {
    url,
    clock,
    provider: createProvider(url, secretOf(folder.path)),

    /** How many events of this type there are in order streams. */
    async happened(type: string): Promise<number> {
      const engines = await openEngines({ ...env, PUBLIC_URL: url, OJA_DEMO: '1' });
      try {
        return (await eventCounts(engines)).get(type) ?? 0;
      } finally {
        await engines.close();
      }
    },

    /** A product of the store whose price in naira passes the check, such as one with free delivery. */
    async goodsOf(businessName: string, is: (price: number) => boolean): Promise<Goods> {
      const answer = await fetch(`${url}/v1/products/search?condition=all&limit=60`);
      const listed = field(await answer.json(), 'result');
      const all = (Array.isArray(listed) ? listed : []).map((one: unknown) => ({
        product_id: String(field(one, 'product_id')),
        user_id: String(field(one, 'user_id')),
        prod_name: String(field(one, 'prod_name')),
        businessName: String(field(one, 'businessName')),
        price: Number(field(one, 'price')),
      }));
      const found = all.find((one) => is(one.price) && one.businessName === businessName);
      if (found === undefined) throw new Error(`${businessName} sells nothing like that`);
      return found;
    },

    /** Changes the seller's own price, in naira. */
    async reprice({ product_id, businessName }: Goods, price: number): Promise<void> {
      const seller = new Caller(url);
      const body = { businessName, password: PASSWORD };
      const told = await seller.persist({ method: 'POST', path: '/v1/login', body });
      seller.client.token = String(field(told.body, 'accessToken'));
      const path = `/v1/product/update/${product_id}`;
      const { status } = await seller.persist({ method: 'PUT', path, body: { price } });
      expect(status).toBe(200);
    },

    /** Runs an operator's command and expects it to succeed. */
    async oja(...args: readonly string[]): Promise<void> {
      const command = runOja(args, { ...env });
      expect([await command.exited, command.lines]).toEqual([0, expect.anything()]);
    },

    /** Every letter that was sent, as plain text. */
    letters: (): string => lettersIn(folder.path).join('\n'),

    async close(): Promise<void> {
      expect(await running.stop()).toBe(0);
      folder.remove();
      clocks.remove();
    },
  };
}

/** Puts goods into the cart with the button on their page. */
export async function addToCart(page: Page, url: string, goods: Goods): Promise<void> {
  await page.goto(`${url}/single-product/0/${goods.product_id}`);
  await page.getByRole('button', { name: 'Single order', exact: true }).click();
  await expect(page).toHaveURL(/\/cart-contents\/single/);
}

export const buyer = {
  'Full Name': 'Tunde Bello',
  'Email address': 'tunde@example.com',
  'Home Address': '12 Bode Thomas Street, Surulere',
  'Phone number': '07000000010',
} as const;

export async function fillForm(page: Page): Promise<void> {
  for (const [label, text] of Object.entries(buyer)) await page.getByLabel(label).fill(text);
}

export const submit = (page: Page) => page.getByRole('button', { name: 'Submit' });
export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay ₦/ });

/** From the product to the provider's page. */
export async function toProvider(page: Page, url: string, goods: Goods): Promise<void> {
  await addToCart(page, url, goods);
  await page.goto(`${url}/payment-form`);
  await fillForm(page);
  await submit(page).click();
  await expect(payButton(page)).toBeVisible();
}

/** From the product to a verified payment. */
export async function pay(page: Page, url: string, goods: Goods): Promise<void> {
  await toProvider(page, url, goods);
  await payButton(page).click();
  await expect(page.getByText('Payment was successful!')).toBeVisible();
}
