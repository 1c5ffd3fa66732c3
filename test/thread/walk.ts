import { setTimeout as wait } from 'node:timers/promises';
import type { Earnings, Notification, Order, Product, Settings, UserDetails } from '@oja/contracts';
import { Client } from '../support/client.js';
import { picture } from '../support/pictures.js';

/** How long a shopper may wait for a listed product, in milliseconds. */
const PATIENCE_MS = 60_000;
const POLL_MS = 50;

export interface Seller {
  readonly client: Client;
  readonly details: UserDetails;
}

export async function registerSeller(origin: string, businessName: string): Promise<Seller> {
  const client = new Client(origin);
  const answer = await client.call<{ accessToken: string; data: { data: UserDetails } }>(
    201,
    'POST',
    '/v1/register',
    { name: 'Ada Obi', businessName, phone_1: '07000000002', password: 'a long enough secret' },
  );
  client.token = answer.accessToken;
  return { client, details: answer.data.data };
}

async function upload(client: Client, color: string): Promise<string> {
  const { imageUpload } = await client.get<Settings>('/v1/settings');
  const form = new FormData();
  form.set('upload_preset', imageUpload.uploadPreset);
  form.set('file', new Blob([new Uint8Array(await picture(color))]), 'picture.jpg');
  const answer = await fetch(imageUpload.url, { method: 'POST', body: form });
  if (!answer.ok) throw new Error(`upload: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { secure_url: string }).secure_url;
}

/** Uploads two pictures and lists the product; returns its id. */
export async function listBag(
  { client }: Seller,
  name: string,
  price: number,
  colors: readonly [string, string],
): Promise<string> {
  const imageUrls = [await upload(client, colors[0]), await upload(client, colors[1])];
  const { productId } = await client.call<{ productId: string }>(201, 'POST', '/v1/add-product', {
    updatedInput: {
      prod_name: name,
      price,
      description: 'Sewn by hand.',
      subcategory_id: 1,
      state: 'Lagos',
      local_govt: 'Ikeja',
      color: 'brown',
      brand: 'Aba',
      gender: 'Unisex',
      type: 'Tote',
    },
    imageUrls,
  });
  return productId;
}

/** Searches at once: a client that wrote nothing waits for no position. */
export async function find(shopper: Client, words: string): Promise<readonly Product[]> {
  const query = new URLSearchParams({ query: words });
  return (await shopper.get<{ result: Product[] }>(`/v1/products/search?${query}`)).result;
}

/** Repeats the search until `count` products of another seller are found. */
export async function findListed(
  shopper: Client,
  words: string,
  count: number,
): Promise<readonly Product[]> {
  const until = Date.now() + PATIENCE_MS;
  let goods = await find(shopper, words);
  for (; goods.length !== count && Date.now() < until; goods = await find(shopper, words))
    await wait(POLL_MS);
  if (goods.length !== count) throw new Error(`${goods.length} of ${count} found for ${words}`);
  return goods;
}

/** Orders one of each; returns the payment address and the order key. */
export async function placeOrder(
  shopper: Client,
  goods: readonly Product[],
): Promise<{ readonly payAt: string; readonly transactionId: string }> {
  const subtotal = goods.reduce((sum, { price }) => sum + price, 0);
  const answer = await shopper.call<{
    data: { data: { authorization_url: string } };
    transactionId: string;
  }>(200, 'POST', '/v1/transaction/initialize', {
    full_name: 'Chidi Okafor',
    email: 'chidi@example.com',
    amount: subtotal + (subtotal > 5_000 ? 0 : 800),
    home_address: '1 Market Road, Ikeja',
    phone_number: '07000000003',
    buyerItems: goods.map(({ product_id, user_id }) => ({ product_id, user_id, quantity: 1 })),
  });
  return { payAt: answer.data.data.authorization_url, transactionId: answer.transactionId };
}

/** Presses Pay on the sandbox's page; returns the reference it redirects with. */
export async function pay(payAt: string): Promise<string> {
  const page = await (await fetch(payAt)).text();
  const form = page.split('<form').find((part) => part.includes('Pay ₦'));
  const action = /action="([^"]*)"/.exec(form ?? '')?.[1];
  if (action === undefined) throw new Error(`no Pay button on ${page}`);
  const fields = [...(form ?? '').matchAll(/name="([^"]+)" value="([^"]*)"/g)];
  const answer = await fetch(new URL(action.replaceAll('&amp;', '&'), payAt), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields.map(([, name, value]) => [name ?? '', value ?? ''])),
  });
  const back = answer.headers.get('Location');
  const reference = back && new URL(back, payAt).searchParams.get('reference');
  if (!reference) throw new Error(`not sent back: ${answer.status} ${await answer.text()}`);
  return reference;
}

export const verify = (shopper: Client, reference: string) =>
  shopper.get<{ ok: boolean; transactionId?: string }>(`/v1/transaction/verify/${reference}`);

export const orderOf = async (shopper: Client, transactionId: string): Promise<Order> =>
  (await shopper.get<{ order: Order }>(`/v1/orders/${transactionId}`)).order;

export const unreadOf = async ({ client, details }: Seller): Promise<readonly Notification[]> =>
  (await client.get<{ result: Notification[] }>(`/v1/notifications/unread/${details.user_id}`))
    .result;

export const earningsOf = async ({ client }: Seller): Promise<Earnings> =>
  (await client.get<{ result: Earnings }>('/v1/user/earnings')).result;
