import { income, type PayoutDocument } from '@oja/contracts/models';
import { keySubject, type SubjectKind, streamNames } from '@oja/domain';
import { createSealer, eachDocument, type JsonObject, type ToOpen } from '@oja/platform';
import type { AppContext } from '../../runtime/context.js';
import { isSealed } from '../events/lines.js';

/** The person to erase. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly id: string;
  /** The subject's name in Keys. */
  readonly key: string;
}

export const subjectOf = (kind: SubjectKind, id: string): Subject => ({
  kind,
  id,
  key: keySubject(kind, id),
});

/** The streams in which values of the subject are sealed. */
const streamsOf: Readonly<Record<SubjectKind, readonly ((id: string) => string)[]>> = {
  transaction: [streamNames.transaction],
  seller: [streamNames.seller, streamNames.inbox],
  contact: [streamNames.contact],
};

/** The field name a value was sealed under: its own, and for a push subscription also the subscription's id. */
const fieldOf = (name: string, { subscriptionId }: JsonObject): string =>
  name === 'subscription' ? `${name}:${subscriptionId}` : name;

/** Streams of the orders with a payout to the seller: a payout event holds the last digits of their account number. */
async function ordersPaidTo(context: AppContext, sellerId: string): Promise<readonly string[]> {
  const { engines, readModels } = context;
  const payouts = await readModels.liveCollection(income, 'payouts');
  const streams = new Set<string>();
  for await (const { document } of eachDocument<PayoutDocument>(engines.documents, payouts, {
    filter: [{ field: 'sellerId', op: 'eq', value: sellerId }],
  }))
    streams.add(streamNames.transaction(document.transactionId));
  return [...streams];
}

/** Every sealed value of the subject, with its stream and field. */
export async function sealedOf(context: AppContext, subject: Subject): Promise<readonly ToOpen[]> {
  const { engines } = context;
  const found: ToOpen[] = [];
  const own = streamsOf[subject.kind].map((streamOf) => streamOf(subject.id));
  const paid = subject.kind === 'seller' ? await ordersPaidTo(context, subject.id) : [];
  for (const stream of [...own, ...paid]) {
    for await (const { data } of engines.eventStore.readStream(stream))
      for (const [name, value] of Object.entries(data))
        if (isSealed(value) && value.subject === subject.key)
          found.push({ stream, field: fieldOf(name, data), value });
  }
  return found;
}

/** The values that can still be decrypted, with their field names. */
export async function openedOf(
  { engines }: AppContext,
  sealed: readonly ToOpen[],
): Promise<readonly { readonly field: string; readonly text: string }[]> {
  const texts = await createSealer(engines.keys).openMany(sealed);
  return texts.flatMap((text, i) => {
    const field = sealed[i]?.field;
    return text === null || field === undefined ? [] : [{ field, text }];
  });
}
