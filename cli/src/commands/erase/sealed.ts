import { contact, inbox, keySubject, type SubjectKind, seller, transaction } from '@oja/domain';
import {
  createSealer,
  type Json,
  type JsonObject,
  type SealedValue,
  type ToOpen,
} from '@oja/platform';
import type { AppContext } from '../../runtime/context.js';

/** Who is erased. */

export interface Subject {
  readonly kind: SubjectKind;
  readonly id: string;
  /** As Keys knows it. */
  readonly key: string;
}

export const subjectOf = (kind: SubjectKind, id: string): Subject => ({
  kind,
  id,
  key: keySubject(kind, id),
});

/** The streams in which values of the subject are sealed. */
const streamsOf: Readonly<Record<SubjectKind, readonly string[]>> = {
  transaction: [transaction.category],
  seller: [seller.category, inbox.category],
  contact: [contact.category],
};

function isSealed(value: Json | undefined): value is JsonObject & SealedValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    'sealed' in value &&
    typeof value.sealed === 'string' &&
    'subject' in value &&
    typeof value.subject === 'string'
  );
}

/** A push subscription is bound to its own id; every other value to the name of its field. */
const fieldOf = (name: string, { subscriptionId }: JsonObject): string =>
  name === 'subscription' ? `${name}:${subscriptionId}` : name;

/** Every personal value of the subject, where it stands. */
export async function sealedOf(
  { engines }: AppContext,
  subject: Subject,
): Promise<readonly ToOpen[]> {
  const found: ToOpen[] = [];
  for (const category of streamsOf[subject.kind]) {
    const stream = `${category}-${subject.id}`;
    for await (const { data } of engines.eventStore.readStream(stream))
      for (const [name, value] of Object.entries(data))
        if (isSealed(value) && value.subject === subject.key)
          found.push({ stream, field: fieldOf(name, data), value });
  }
  return found;
}

/** Field and what it says, of the values that can still be read. */
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
