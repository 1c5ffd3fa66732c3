import { randomUUID } from 'node:crypto';

/** In naira. */
const DELIVERY = { freeAbove: 5_000, fee: 800 };

/** Calls the market and returns the parsed answer. @throws Error when the market refuses the call. */
export async function call(url, path, body, headers = {}) {
  const answer = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID(), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answered = await answer.json();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answered)}`);
  return answered;
}

/** The body of an order for one piece of a product, as a search returns it. */
export function order({ product_id, user_id, price }) {
  return {
    full_name: 'Chidi Okafor',
    email: 'chidi@example.com',
    amount: price + (price > DELIVERY.freeAbove ? 0 : DELIVERY.fee),
    home_address: '1 Market Road, Ikeja',
    phone_number: '07000000003',
    buyerItems: [{ product_id, user_id, quantity: 1 }],
  };
}
