import {
  type InboxEvent,
  MINUTE_MS,
  type OrderLine,
  type SellerEvent,
  type TransactionCommand,
  type TransactionEvent,
  transaction,
} from '@oja/domain';
import type { Letter } from '@oja/platform';
import { projections } from '../../src/index.js';
import { MemoryDocuments } from './documents.js';
import { follow } from './follow.js';
import { MemoryLog } from './log.js';
import { lettersOf, openStores, type Stores } from './mail.js';
import { recorded } from './shop.js';

export const ORDER = '3f0c1b9e-0000-4000-8000-000000000001';
export const EMAIL = 'ada@example.com';
const AMOUNT = 4_600_000;

const line = (sellerId: string, businessName: string, name: string): OrderLine => ({
  productId: `p-${sellerId}`,
  sellerId,
  businessName,
  name,
  image: 'bag.jpg',
  subcategoryId: 1,
  quantity: 2,
  unitPrice: 1_150_000,
  priceKind: 'upload',
});
const lines = [line('ada', 'Ada & Daughters', 'Red <Bag>'), line('bisi', 'Bisi Stores', 'Lamp')];

/** A market of two sellers, Ada and Bisi, an order of their goods, and the letters that are sent. */
export class SellerMail {
  readonly log = new MemoryLog();
  documents = new MemoryDocuments();
  /** All that were sent, those to buyers too. */
  readonly letters: Letter[] = [];
  /** Whether the mail server is away. */
  broken = false;
  /** Epoch milliseconds. */
  now = Date.parse('2026-03-01T08:00:00.000Z');
  #order = transaction.initial;

  private constructor(readonly stores: Stores) {}

  static async open(): Promise<SellerMail> {
    const market = new SellerMail(await openStores());
    await market.#registered('ada', 'Ada & Daughters');
    await market.#registered('bisi', 'Bisi Stores');
    return market;
  }

  close = () => this.stores.close();

  at = () => new Date(this.now).toISOString();

  /** Appends events with the current time and lets every projection follow. Moves the clock on by a minute. */
  async happens(
    stream: string,
    ...events: readonly (SellerEvent | TransactionEvent | InboxEvent)[]
  ): Promise<void> {
    for (const { type, data } of events) {
      const revision = this.log.events.filter((event) => event.stream === stream).length;
      const raw = recorded(stream, revision, type, data);
      this.log.record([{ ...raw, metadata: { ...raw.metadata, time: this.at() } }]);
    }
    await this.#follow();
    this.now += MINUTE_MS;
  }

  async #follow(): Promise<void> {
    for (const projection of projections)
      await follow(this.log, this.documents, projection, { batchSize: 9 });
  }

  /** Builds all read models anew. */
  async rebuild(): Promise<void> {
    this.documents = new MemoryDocuments();
    await this.#follow();
  }

  async #registered(sellerId: string, businessName: string): Promise<void> {
    const sealed = await this.stores.sealer.seal(`seller:${sellerId}`, `seller-${sellerId}`, {
      name: 'Ada Obi',
      phone: '08031234567',
    });
    const data = { sellerId, businessName, ...sealed };
    await this.happens(`seller-${sellerId}`, { type: 'SellerRegistered', data });
  }

  ofAda = (...events: readonly SellerEvent[]) => this.happens('seller-ada', ...events);

  async asked(ask: number, email = EMAIL): Promise<void> {
    const values = { email, code: `00000${ask}` };
    const sealed = await this.stores.sealer.seal('seller:ada', 'seller-ada', values);
    const data = { sellerId: 'ada', ask, ...sealed, at: this.at() };
    await this.ofAda({ type: 'SellerEmailAsked', data });
  }

  confirmed = (ask: number) =>
    this.ofAda({ type: 'SellerEmailConfirmed', data: { sellerId: 'ada', ask } });

  removed = () => this.ofAda({ type: 'SellerEmailRemoved', data: { sellerId: 'ada' } });

  switched = (on: boolean) =>
    this.ofAda({ type: 'SellerLettersSwitched', data: { sellerId: 'ada', on } });

  suspended = () =>
    this.ofAda({ type: 'SellerSuspended', data: { sellerId: 'ada', by: 'operator' } });

  /** Ada clears all notices that she has. */
  async cleared(): Promise<void> {
    const upTo = this.log.events.at(-1)?.position ?? '';
    const data = { sellerId: 'ada', upTo };
    await this.happens('inbox-ada', { type: 'NotificationsCleared', data });
  }

  /** Runs commands on the order and appends the events that the domain decides. */
  async carriedOut(...commands: readonly TransactionCommand[]): Promise<void> {
    for (const command of commands) {
      const decision = transaction.decide(command, this.#order);
      if (!decision.ok) throw new Error(decision.refusal.message);
      this.#order = decision.events.reduce(transaction.evolve, this.#order);
      await this.happens(`transaction-${ORDER}`, ...decision.events);
    }
  }

  payment = () =>
    ({
      type: 'VerifyPayment',
      reference: ORDER,
      status: 'success',
      amount: AMOUNT,
      currency: 'NGN',
      fees: 0,
      channel: 'card',
      providerId: '1',
      paidAt: this.at(),
      at: this.at(),
    }) as const;

  /** Ngozi's paid order from two sellers. */
  async paid(): Promise<void> {
    const buyer = await this.stores.sealer.seal(`transaction:${ORDER}`, `transaction-${ORDER}`, {
      fullName: 'Ngozi Eze',
      email: 'ngozi@example.com',
      homeAddress: '1 Road',
      phoneNumber: '08030000000',
      secret: 'AbCdEfGhIjKlMnOpQrStUv',
    });
    const order = { transactionId: ORDER, lines, amount: AMOUNT, ...buyer, at: this.at() };
    await this.carriedOut({ type: 'PlaceOrder', ...order }, this.payment());
  }

  delivered = () => this.carriedOut({ type: 'ConfirmDelivery', at: this.at() });

  office = () =>
    lettersOf({
      ...this.stores,
      documents: this.documents,
      now: () => this.now,
      send: async (letter) => {
        if (this.broken) throw new Error('the mail server is away');
        this.letters.push(letter);
      },
    });

  round = () => this.office().round();

  toSellers = () => this.letters.filter(({ subject }) => subject.startsWith('seller:'));
  titles = () => this.toSellers().map(({ title }) => title);
}
