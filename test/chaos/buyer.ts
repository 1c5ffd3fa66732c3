import { randomUUID } from 'node:crypto';
import { nairaToKobo } from '@oja/domain/rules';
import { Caller, field } from './caller.js';
import type { Fate } from './fates.js';
import type { Provider } from './provider.js';

/** A product as a shopper sees it. */
export interface Goods {
  readonly product_id: string;
  readonly user_id: string;
  /** Naira. */
  readonly price: number;
}

/** An order as its buyer knows it. */
export interface Bought {
  readonly fate: Fate;
  readonly caller: Caller;
  /** Null when the order call got no answer within the caller's patience. */
  readonly transactionId: string | null;
  /** `<id>.<secret>`. */
  readonly orderKey: string;
  readonly reference: string;
  /** Kobo. */
  readonly amount: number;
  readonly sellerIds: readonly string[];
}

const MINUTE_MS = 60_000;
/** Higher than the attempt numbers that Oja itself uses in an order's references. */
const OWN_REFERENCE = 9;

interface Placed {
  readonly address: string;
  readonly orderKey: string;
  readonly reference: string;
}

function placedOf(body: unknown): Placed | null {
  const address = field(body, 'data', 'data', 'authorization_url');
  const reference = field(body, 'data', 'data', 'reference');
  const orderKey = field(body, 'transactionId');
  return typeof address === 'string' &&
    typeof reference === 'string' &&
    typeof orderKey === 'string'
    ? { address, orderKey, reference }
    : null;
}

/** Places an order, pays it as its fate says, and checks whether the payment was verified. */
export async function buy(
  origin: string,
  provider: Provider,
  goods: readonly Goods[],
  fate: Fate,
): Promise<Bought> {
  const { random, number } = fate;
  const caller = new Caller(origin);
  const chosen = new Map<string, Goods & { readonly quantity: number }>();
  for (let line = 0; line < fate.lines; line += 1) {
    const one = random.pick(goods);
    chosen.set(one.product_id, { ...one, quantity: random.between(1, 3) });
  }
  const lines = [...chosen.values()];
  const subtotal = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const naira = subtotal + (subtotal > 5_000 ? 0 : 800);
  const placing = {
    method: 'POST',
    path: '/v1/transaction/initialize',
    key: randomUUID(),
    body: {
      full_name: `Buyer ${number}`,
      email: `buyer-${number}@example.com`,
      amount: naira,
      home_address: '1 Market Road, Ikeja',
      phone_number: '07000000003',
      buyerItems: lines.map(({ product_id, user_id, quantity }) => ({
        product_id,
        user_id,
        quantity,
      })),
    },
  } as const;
  const clicks = fate.paying === 'stampede' ? 3 : 1;
  const answers = await Promise.all(Array.from({ length: clicks }, () => caller.persist(placing)));
  const placed = answers.map(({ body }) => placedOf(body)).find((one) => one !== null);
  const amount = nairaToKobo(naira);
  const sellerIds = [...new Set(lines.map(({ user_id }) => user_id))];
  const bought = {
    fate,
    caller,
    amount,
    sellerIds,
    transactionId: placed?.orderKey.split('.')[0] ?? null,
    orderKey: placed?.orderKey ?? '',
    reference: placed?.reference ?? '',
  };
  if (placed !== undefined) await pay(provider, bought, placed.address);
  return bought;
}

/** The browser returns from the payment page and retries until it gets an answer. */
export const comeBack = ({ caller }: Bought, reference: string) =>
  caller.persist({ method: 'GET', path: `/v1/transaction/verify/${reference}` });

async function pay(provider: Provider, bought: Bought, address: string): Promise<void> {
  const { fate, reference, transactionId, amount } = bought;
  const { random } = fate;
  await planNews(provider, fate, reference);
  const further = `${transactionId}-${OWN_REFERENCE}`;
  const payBeside = async (kobo: number) => {
    const beside = await provider.begin(further, kobo);
    if (beside !== null) await provider.press(beside, 'pay');
  };
  switch (fate.paying) {
    case 'never':
      return;
    case 'forged': {
      const statuses = [await provider.forge(reference), await provider.forge(further)];
      if (statuses.some((status) => status !== 401))
        throw new Error(`a forged notice about ${reference} was answered ${statuses.join()}`);
      return;
    }
    case 'no-return':
    case 'no-news':
      return provider.press(address, 'pay');
    case 'declined-first':
      await provider.press(address, 'decline');
      await comeBack(bought, reference);
      break;
    case 'late': {
      const delayMs = random.between(1, 20) * MINUTE_MS;
      await provider.plan('late-success', { reference, delayMs });
      break;
    }
    case 'short':
      await payBeside(amount - 100);
      await comeBack(bought, further);
      break;
  }
  await provider.press(address, 'pay');
  if (fate.paying === 'twice') await payBeside(amount);
  const looks = fate.paying === 'stampede' ? 20 : random.between(1, 2);
  await Promise.all(Array.from({ length: looks }, () => comeBack(bought, reference)));
  if (fate.paying === 'twice') await comeBack(bought, further);
  if (random.chance(0.2))
    await bought.caller.persist({ method: 'GET', path: `/v1/orders/${bought.orderKey}` });
}

/** Plans what the provider does to the webhook of this payment. */
async function planNews(provider: Provider, fate: Fate, reference: string): Promise<void> {
  if (fate.paying === 'no-news') return provider.plan('drop-webhook', { reference });
  await provider.plan('duplicate-webhook', { reference, copies: fate.copies, times: 3 });
  const delayMs = fate.random.between(5, 600) * 1_000;
  if (fate.news === 'delayed') await provider.plan('delay-webhook', { reference, delayMs });
  if (fate.news === 'reordered') await provider.plan('reorder-webhook', { reference });
}
