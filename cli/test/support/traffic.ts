import { setTimeout as pause } from 'node:timers/promises';
import type { Product } from '@oja/contracts';
import { Client } from '../../../test/support/client.js';
import { listBag, registerSeller, type Seller } from '../../../test/thread/walk.js';

/** A seller who changes a product all the time, and shoppers who look at it. */
export interface Traffic {
  /** What shoppers saw that they should not have; what is seen many times in a row is said once. */
  readonly complaints: readonly string[];
  /** How often they looked. */
  looks(): number;
  /** How often it was changed. */
  changes(): number;
  stop(): Promise<void>;
}

const NAME = 'Counted bag';
/** Between two changes, and between two looks: without it the traffic takes the cores from the command under test. */
const PAUSE_MS = 20;

/** The seller writes a growing number into the description: a shopper never sees it shrink. */
export async function openTraffic(url: string): Promise<Traffic> {
  const seller: Seller = await registerSeller(url, 'Counting House');
  const productId = await listBag(seller, NAME, 5_000, ['#a33', '#3a3']);
  const shopper = new Client(url);
  const complaints: string[] = [];
  let [looks, changes, going] = [0, 0, true];
  let seen = 0;
  // Asked by the seller, whose reads wait for their own writes: a shopper's look may still be
  // answered without the new bag, and would take its first count for the right one.
  const goods = '/v1/products/search?limit=1';
  await seller.client.get(`/v1/product/${productId}`);
  const { total } = await seller.client.get<{ total: number }>(goods);

  function complain(of: string): void {
    if (complaints.at(-1) !== of) complaints.push(of);
  }

  async function write(): Promise<void> {
    while (going) {
      const description = String(changes + 1);
      await seller.client.call(200, 'PUT', `/v1/product/update/${productId}`, { description });
      changes += 1;
      await pause(PAUSE_MS);
    }
  }

  async function look(): Promise<void> {
    while (going) {
      const answer = await shopper.fetch(`/v1/product/${productId}`);
      if (answer.status !== 200) complain(`${answer.status} ${answer.text}`);
      else {
        const { result } = JSON.parse(answer.text) as { result: Product };
        const number = Number(result.description);
        if (number < seen) complain(`${number} after ${seen}`);
        if (!Number.isNaN(number)) seen = Math.max(seen, number);
      }
      const list = await shopper.fetch(goods);
      if (list.status !== 200) complain(`${list.status} ${list.text}`);
      else {
        const now = (JSON.parse(list.text) as { total: number }).total;
        if (now !== total) complain(`${now} goods, not ${total}`);
      }
      looks += 1;
      await pause(PAUSE_MS);
    }
  }

  const running = Promise.all([write(), look()]);
  return {
    complaints,
    looks: () => looks,
    changes: () => changes,
    async stop() {
      going = false;
      await running;
    },
  };
}
