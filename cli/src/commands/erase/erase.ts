import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { income, type PayoutDocument } from '@oja/contracts/models';
import { keySubject, type SubjectKind, streamNames } from '@oja/domain';
import {
  createSealer,
  databases,
  files,
  type JsonObject,
  KeyLingers,
  nowOf,
  type ToOpen,
  truncateWal,
} from '@oja/platform';
import type { Answer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import { recordByOperator } from '../../runtime/operator.js';
import { isSealed } from '../events/format-event.js';
import { liveDocuments } from '../shared/live-documents.js';
import { removeLeftKeys } from '../shared/temporary-folder.js';
import { searchFiles } from './search.js';

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
  const payouts = liveDocuments<PayoutDocument>(context, income, 'payouts', {
    filter: [{ field: 'sellerId', op: 'eq', value: sellerId }],
  });
  const streams = new Set<string>();
  for await (const { document } of payouts)
    streams.add(streamNames.transaction(document.transactionId));
  return [...streams];
}

/** Every sealed value of the subject, with its stream and field. */
async function findSealedValues(context: AppContext, subject: Subject): Promise<readonly ToOpen[]> {
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

/** An opened value of the subject. */
interface Known {
  readonly field: string;
  readonly text: string;
}

/** The values that can still be decrypted, with their field names. */
async function openSealedValues(
  { engines }: AppContext,
  sealed: readonly ToOpen[],
): Promise<readonly Known[]> {
  const texts = await createSealer(engines.keys).openMany(sealed);
  return texts.flatMap((text, i) => {
    const field = sealed[i]?.field;
    return text === null || field === undefined ? [] : [{ field, text }];
  });
}

/**
 * Those of the texts that the log says in the open as well. It never says what is personal so: a text is there as part of
 * something else, as a seller's own name in that of the business, or a message's subject 'Delivery' in DeliveryConfirmed.
 */
async function saidOpenly(
  { engines }: AppContext,
  known: readonly Known[],
): Promise<readonly Known[]> {
  if (known.length === 0) return [];
  const open = new Set<Known>();
  const escaped = known.map((each) => [each, JSON.stringify(each.text).slice(1, -1)] as const);
  for await (const event of engines.eventStore.readAll({ after: null })) {
    const text = JSON.stringify(event);
    for (const [each, part] of escaped) if (text.includes(part)) open.add(each);
    if (open.size === known.length) break;
  }
  return [...open];
}

/** Evidence of an erasure: what was done and what was searched for. */
export type Proof = Omit<Answer<'erase'>, 'ok' | 'goodsRemoved' | 'sessionsEnded' | 'stays'>;

export const isProven = ({ keyDestroyed, readable, ...proof }: Proof): boolean =>
  keyDestroyed &&
  readable === 0 &&
  [proof.found, proof.unsearched, proof.blockedWals, proof.backupsUnderWay].every(
    ({ length }) => length === 0,
  );

/** Texts with fewer characters occur in files for other reasons, so they are not searched for. */
const IDENTIFYING_LENGTH = 8;

/** Ignores a key that lingers in the write-ahead log: `blockedWals` reports it, and the market's sweep tries again. */
function ignoreLingering(error: unknown): void {
  if (!(error instanceof KeyLingers)) throw error;
}

/**
 * Records the erasure, destroys the subject's key and letters, and searches for remains. May be repeated; the later
 * proof searches for no values, because they cannot be decrypted any more.
 */
export async function eraseSubject(context: AppContext, subject: Subject): Promise<Proof> {
  const { engines, clock, config } = context;
  const sealed = await findSealedValues(context, subject);
  const known = await openSealedValues(context, sealed);
  const at = nowOf({ clock });
  // Recorded before the key is destroyed: from the event, a restored copy learns to destroy it again.
  await recordByOperator(context, { type: 'SubjectErased', data: { subject: subject.key, at } });
  await engines.keys.destroy(subject.key).catch(ignoreLingering);
  await engines.mail.forget(subject.key);
  const blockedWals = await truncateWals(context);
  // After the key is destroyed, since a backup that begins later copies it no more.
  const backupsUnderWay = removeLeftKeys(config.dataDir);

  const [identifying, short] = [
    known.filter(({ text }) => text.length >= IDENTIFYING_LENGTH),
    known.filter(({ text }) => text.length < IDENTIFYING_LENGTH),
  ];
  const isLetter = (file: string) => file.startsWith(`${files.mail}/`);
  const first = searchFiles(config.dataDir, identifying);
  const foundFields = first.found.flatMap(({ file, field }) => (isLetter(file) ? [] : [field]));
  const open = await saidOpenly(
    context,
    identifying.filter(({ field }) => foundFields.includes(field)),
  );
  const wanted = identifying.filter((each) => !open.includes(each));
  const searched = open.length === 0 ? first : searchFiles(config.dataDir, wanted);
  const fieldNames = (values: readonly Known[]) => [...new Set(values.map(({ field }) => field))];
  return {
    subject: subject.key,
    keyDestroyed:
      (await engines.keys.isDestroyed(subject.key)) &&
      (await engines.keys.find(subject.key)) === null,
    sealed: sealed.length,
    readable: (await openSealedValues(context, sealed)).length,
    searchedFor: fieldNames(wanted),
    tooShort: fieldNames(short),
    openly: fieldNames(open),
    filesSearched: searched.files,
    bytesSearched: searched.bytes,
    found: searched.found.filter(({ file }) => !isLetter(file)),
    unsearched: searched.unsearched,
    othersLetters: [...new Set(searched.found.map(({ file }) => file).filter(isLetter))],
    blockedWals,
    backupsUnderWay,
  };
}

/** Empties the write-ahead logs, which still hold deleted data; returns the databases where a reader prevented it. */
export async function truncateWals({ config }: AppContext): Promise<readonly string[]> {
  const blocked: string[] = [];
  for (const name of databases) {
    const path = join(config.dataDir, name);
    if (existsSync(path) && !(await truncateWal(path))) blocked.push(name);
  }
  return blocked;
}
