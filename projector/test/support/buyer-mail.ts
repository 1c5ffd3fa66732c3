import { streamNames, type TransactionEvent } from '@oja/domain';
import { type Letter, LetterPutOff, LetterRefused } from '@oja/platform';
import { projections } from '../../src/index.js';
import { orderHappens, PAID, type Step } from './decided-orders.js';
import { MemoryDocuments } from './documents.js';
import { follow } from './follow.js';
import { MemoryLog } from './log.js';
import { lettersOf, openStores, type Stores } from './mail.js';
import { record } from './orders.js';
import { recorded } from './shop.js';

export const ID = '3f0c1b9e-0000-4000-8000-000000000001';

/** A market with orders, and a mail server that letters about them go to. */
export class BuyerMail {
  readonly log = new MemoryLog();
  documents = new MemoryDocuments();
  letters: Letter[] = [];
  /** Whether the mail server is away. */
  broken = false;
  /** An address that the mail server refuses for good; `askedFor` lists the address of every letter sent to it. */
  unknown: string | null = null;
  /** Whether the mail server refuses every letter, whoever it is to. */
  refusesAll = false;
  /** The addresses that the mail server answers 'later', each time. */
  readonly putsOff = new Set<string>();
  supportEmail: string | null = 'help@oja.example';
  readonly askedFor: string[] = [];
  /** Epoch milliseconds. */
  now = Date.parse(PAID);

  private constructor(readonly stores: Stores) {}

  static open = async (): Promise<BuyerMail> => new BuyerMail(await openStores());
  close = () => this.stores.close();

  /** Appends the events of an order, as the domain decides them. */
  order = (...steps: readonly Step[]) => this.orderOf(ID, 'ngozi@example.com', ...steps);

  orderOf(id: string, email: string, ...steps: readonly Step[]): Promise<void> {
    const { log, documents, stores } = this;
    return orderHappens({ log, documents, sealer: stores.sealer }, id, email, ...steps);
  }

  /** A visitor writes to the support. */
  async writesToSupport(id: string, text = 'Help!'): Promise<void> {
    const stream = streamNames.contact(id);
    const values = {
      name: 'Ngozi',
      email: 'ngozi@example.com',
      subject: 'Hello',
      message: text,
    };
    const message = await this.stores.sealer.seal(`contact:${id}`, stream, values);
    const data = { contactId: id, ...message, at: PAID };
    this.log.record(record(stream, PAID, [{ type: 'ContactMessageReceived', data }]));
    await this.#follow();
  }

  /** Appends one more event to a stream, with the current time. */
  async goesOn(stream: string, { type, data }: TransactionEvent): Promise<void> {
    const revision = this.log.events.filter((event) => event.stream === stream).length;
    const raw = recorded(stream, revision, type, data);
    const time = new Date(this.now).toISOString();
    this.log.record([{ ...raw, metadata: { ...raw.metadata, time } }]);
    await this.#follow();
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

  /** As `oja move` brings a market into another log: State is the same, and every event has another position. */
  async moved(): Promise<void> {
    const events = this.log.events.splice(0);
    this.log.record([recorded('operations', 0, 'Opened', {}), ...events]);
    await this.rebuild();
    for (const { key } of await this.stores.state.list('letters-walked', '', this.now))
      await this.stores.state.delete('letters-walked', key);
  }

  #sendOrRefuse = async (letter: Letter): Promise<void> => {
    const { to } = letter;
    this.askedFor.push(to);
    if (this.broken) throw new Error(`450 4.2.1 <${to}>: the mailbox is busy`);
    if (this.refusesAll) throw new LetterRefused(`550 5.7.1 <${to}>: relaying denied`);
    if (this.putsOff.has(to)) throw new LetterPutOff(`450 4.1.2 <${to}>: domain not found`);
    if (to === this.unknown) throw new LetterRefused(`550 5.1.1 <${to}>: no such user`);
    this.letters.push(letter);
  };

  forget = async (subject: string): Promise<void> => {
    this.letters = this.letters.filter((letter) => letter.subject !== subject);
  };

  office = (send = this.#sendOrRefuse) =>
    lettersOf({
      ...this.stores,
      documents: this.documents,
      now: () => this.now,
      send,
      forget: this.forget,
      supportEmail: this.supportEmail,
    });

  /** Why letters are put off, as it is stored. Mail servers repeat the address, which an erasure could not reach there. */
  async putOff(): Promise<readonly unknown[]> {
    const { state } = this.stores;
    const entries = await state.list<{ error: string }>('letters-later', '', this.now);
    return entries.map(({ value }) => value.error);
  }
}
