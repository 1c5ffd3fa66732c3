import { randomBytes, randomInt } from 'node:crypto';
import type { Clock, JsonObject, State } from '@oja/platform';
import type { TransactionRecord, TransferRecord } from './records.js';

/** The sandbox's space in `State`. */
export const SPACE = 'payment-sandbox';

/** Past 32 bits, as Paystack's own, so that nobody comes to rely on smaller ones. */
export const newId = (): number => randomInt(2 ** 33, 2 ** 47);

/** A code nobody can guess: the prefix and 80 random bits. */
export const newCode = (prefix: string): string => `${prefix}${randomBytes(10).toString('hex')}`;

/** The sandbox's records in `State`; each change is durable when it resolves. */
export function createStore(state: State, clock: Clock) {
  const read = async <V extends JsonObject>(key: string): Promise<V | null> =>
    (await state.get<V>(SPACE, key, clock.now()))?.value ?? null;

  const addIfAbsent = async (key: string, value: JsonObject, durable = true): Promise<boolean> =>
    (await state.put(SPACE, key, value, clock.now(), { if: 'absent', durable })) !== null;

  /** The reference that an id or access code stands for; any other text stands for itself. */
  const referenceOf = async (text: string): Promise<string> =>
    (await read<{ reference: string }>(`pointer:${text}`))?.reference ?? text;

  const transactionKey = (reference: string): string => `transaction:${reference}`;

  return {
    referenceOf,

    transaction: (reference: string) => read<TransactionRecord>(transactionKey(reference)),

    /**
     * False when the reference has been used. The pointers come first: alone they lead nowhere, and once the
     * transaction is on disk so are they.
     */
    async addTransaction(record: TransactionRecord): Promise<boolean> {
      const { id, accessCode, reference } = record;
      await Promise.all(
        [id, accessCode].map((name) => addIfAbsent(`pointer:${name}`, { reference }, false)),
      );
      return addIfAbsent(transactionKey(reference), record);
    },

    /**
     * Changes a transaction against what is stored now, again whenever another change came between.
     * `change` answers null to leave it as it is; then the answer is null too.
     */
    async changeTransaction(
      reference: string,
      change: (record: TransactionRecord) => TransactionRecord | null,
    ): Promise<TransactionRecord | null> {
      for (;;) {
        const key = transactionKey(reference);
        const entry = await state.get<TransactionRecord>(SPACE, key, clock.now());
        const changed = entry === null ? null : change(entry.value);
        if (entry === null || changed === null) return null;
        const version = await state.put(SPACE, key, changed, clock.now(), { if: entry.version });
        if (version !== null) return changed;
      }
    },

    transfer: (reference: string) => read<TransferRecord>(`transfer:${reference}`),
    addTransfer: (record: TransferRecord) => addIfAbsent(`transfer:${record.reference}`, record),

    isRecipient: async (code: string) => (await read(`recipient:${code}`)) !== null,
    addRecipient: (code: string) => addIfAbsent(`recipient:${code}`, { createdAt: clock.now() }),
  };
}

export type Store = ReturnType<typeof createStore>;
