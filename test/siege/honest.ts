import type { Settings } from '@oja/contracts';
import { picture } from '../support/pictures.js';
import { type Answered, type Asker, type Asking, pictureForm } from './ask.js';
import type { Besieged } from './market.js';

/** Pause between two requests, in milliseconds. */
const PAUSE_MS = 50;
/** In naira; at this price a delivery fee is charged. */
const PRICE = 4_600;
const DELIVERY = 800;
const ADDRESSES = 200;
/** The address the seller signs in from. */
const STALL = '198.51.100.250';

/** What honest people experienced: durations in milliseconds; `failed` names wrong answers. */
export interface Met {
  readonly took: readonly number[];
  readonly failed: readonly string[];
  readonly orders: number;
  readonly uploads: number;
}

export interface HonestPeople {
  /** Repeats rounds of browsing, selling and buying for this long, at least one round. */
  liveFor(ms: number): Promise<Met>;
}

interface Product {
  readonly product_id: string;
  readonly user_id: string;
}

const seller = { businessName: 'Honest Bags', password: 'a long enough secret' };
const buyer = {
  full_name: 'Chidi Okafor',
  email: 'chidi@example.com',
  home_address: '1 Market Road, Ikeja',
  phone_number: '07000000003',
};
const bag = {
  price: PRICE,
  description: 'Sewn by hand.',
  subcategory_id: 1,
  state: 'Lagos',
  local_govt: 'Ikeja',
  color: 'brown',
  brand: 'Aba',
  gender: 'Unisex',
  type: 'Tote',
};

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** One seller and the shoppers of a town who use the market. */
export async function createHonestPeople(asker: Asker, market: Besieged): Promise<HonestPeople> {
  const pictures = await Promise.all(['peru', 'sienna'].map(picture));
  let visits = 0;
  const shopper = () => {
    visits += 1;
    return `198.51.100.${visits % ADDRESSES}`;
  };

  /** Sends every honest request: measures its time and records failures. */
  function createVisit(took: number[], failed: string[], from = shopper()) {
    return async (
      status: number,
      method: string,
      path: string,
      asking: Omit<Asking, 'from'> = {},
    ): Promise<Answered> => {
      const began = performance.now();
      const answer = await asker.ask(method, path, { from, ...asking });
      took.push(performance.now() - began);
      if (answer.status !== status)
        failed.push(`${method} ${path.split(/[?.]/, 1)[0]}: ${answer.status}`);
      await wait(PAUSE_MS);
      return answer;
    };
  }
  type Visit = ReturnType<typeof createVisit>;

  async function browse(visit: Visit): Promise<void> {
    await visit(200, 'GET', '/', { headers: { Accept: 'text/html' } });
    await visit(200, 'GET', '/v1/settings');
    await visit(200, 'GET', '/v1/products/search?query=bag&localGovt=Ikeja');
    await visit(200, 'GET', '/v1/comments');
  }

  async function logIn(visit: Visit): Promise<string> {
    const { text, status } = await visit(200, 'POST', '/v1/login', { body: seller });
    return status === 200 ? (JSON.parse(text) as { accessToken: string }).accessToken : '';
  }

  /** Uploads two pictures and lists the product. Resolves to whether it is for sale. */
  async function sell(visit: Visit, token: string, n: number): Promise<boolean> {
    const { text: told } = await visit(200, 'GET', '/v1/settings');
    const { imageUpload } = JSON.parse(told) as Settings;
    const imageUrls: string[] = [];
    for (const bytes of pictures) {
      const { pathname } = new URL(imageUpload.url);
      const { text, status } = await visit(
        200,
        'POST',
        pathname,
        pictureForm(imageUpload.uploadPreset, bytes),
      );
      if (status === 200) imageUrls.push((JSON.parse(text) as { secure_url: string }).secure_url);
    }
    const updatedInput = { ...bag, prod_name: `Brown bag number ${n}` };
    const { status } = await visit(201, 'POST', '/v1/add-product', {
      token,
      body: { updatedInput, imageUrls },
    });
    return status === 201;
  }

  /**
   * Searches, orders, pays, returns from the payment page and confirms the delivery. Resolves to
   * whether all went well.
   */
  async function buy(visit: Visit): Promise<boolean> {
    const { text } = await visit(200, 'GET', '/v1/products/search?query=bag&sort=newest');
    const [goods] = (JSON.parse(text || '{}') as { result?: readonly Product[] }).result ?? [];
    if (goods === undefined) return false;
    const placed = await visit(200, 'POST', '/v1/transaction/initialize', {
      body: {
        ...buyer,
        amount: PRICE + DELIVERY,
        buyerItems: [{ product_id: goods.product_id, user_id: goods.user_id, quantity: 1 }],
      },
    });
    if (placed.status !== 200) return false;
    const { data, transactionId } = JSON.parse(placed.text) as {
      readonly data: {
        readonly data: { readonly authorization_url: string; readonly reference: string };
      };
      readonly transactionId: string;
    };
    await market.pay(data.data.authorization_url);
    const cookies = placed.headers['set-cookie'] ?? [];
    const headers = { Cookie: cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ') };
    const verified = await visit(200, 'GET', `/v1/transaction/verify/${data.data.reference}`, {
      headers,
    });
    await visit(200, 'GET', `/v1/orders/${transactionId}`);
    const confirmed = await visit(200, 'PUT', `/v1/buyers/transactions/${transactionId}`);
    return verified.text.includes('"ok":true') && confirmed.status === 200;
  }

  const opening = { name: 'Honest Person', phone_1: '08031234567', ...seller };
  const opened = await asker.ask('POST', '/v1/register', { from: STALL, body: opening });
  if (opened.status !== 201) throw new Error(`no seller: ${opened.status} ${opened.text}`);

  return {
    async liveFor(ms) {
      const [took, failed]: [number[], string[]] = [[], []];
      let [orders, uploads] = [0, 0];
      const until = performance.now() + ms;
      // Whole rounds only, so that every measurement has the same mix.
      for (let round = 0; round === 0 || performance.now() < until; round += 1) {
        const token = await logIn(createVisit(took, failed, STALL));
        if (await sell(createVisit(took, failed), token, visits)) uploads += pictures.length;
        for (let n = 0; n < 2; n += 1) {
          await browse(createVisit(took, failed));
          const isBought = await buy(createVisit(took, failed));
          if (isBought) orders += 1;
          else failed.push('an order was not paid and confirmed');
        }
      }
      return { took, failed, orders, uploads };
    },
  };
}
