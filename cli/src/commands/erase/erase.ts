import { files, KeyLingers } from '@oja/platform';
import type { Answer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import { record } from '../shared/record-operation.js';
import { truncateWals } from '../shared/wals.js';
import { openedOf, type Subject, sealedOf } from './sealed.js';
import { searchFiles } from './search.js';

/** Evidence of an erasure: what was done and what was searched for. */
export type Proof = Omit<Answer<'erase'>, 'ok' | 'goodsRemoved' | 'sessionsEnded' | 'stays'>;

export const isProven = ({ keyDestroyed, readable, found, blockedWals }: Proof): boolean =>
  keyDestroyed && readable === 0 && found.length === 0 && blockedWals.length === 0;

/** Texts with fewer characters occur in files for other reasons, so they are not searched for. */
const IDENTIFYING_LENGTH = 8;

/** Ignores a key that lingers in the write-ahead log: `blockedWals` reports it, and the market's sweep tries again. */
function unlessLingering(error: unknown): void {
  if (!(error instanceof KeyLingers)) throw error;
}

/**
 * Records the erasure, destroys the subject's key and letters, and searches for remains. May be repeated; the later
 * proof searches for no values, because they cannot be decrypted any more.
 */
export async function eraseSubject(context: AppContext, subject: Subject): Promise<Proof> {
  const { engines, clock, config } = context;
  const sealed = await sealedOf(context, subject);
  const known = await openedOf(context, sealed);
  const at = new Date(clock.now()).toISOString();
  // Recorded before the key is destroyed: from the event, a restored copy learns to destroy it again.
  await record(context, { type: 'SubjectErased', data: { subject: subject.key, at } });
  await engines.keys.destroy(subject.key).catch(unlessLingering);
  await engines.mail.forget(subject.key);
  const blockedWals = await truncateWals(context);

  const [identifying, short] = [
    known.filter(({ text }) => text.length >= IDENTIFYING_LENGTH),
    known.filter(({ text }) => text.length < IDENTIFYING_LENGTH),
  ];
  const searched = searchFiles(config.dataDir, identifying);
  const isLetter = (file: string) => file.startsWith(`${files.mail}/`);
  const fieldNames = (values: typeof known) => [...new Set(values.map(({ field }) => field))];
  return {
    subject: subject.key,
    keyDestroyed:
      (await engines.keys.isDestroyed(subject.key)) &&
      (await engines.keys.find(subject.key)) === null,
    sealed: sealed.length,
    readable: (await openedOf(context, sealed)).length,
    searchedFor: fieldNames(identifying),
    tooShort: fieldNames(short),
    filesSearched: searched.files,
    bytesSearched: searched.bytes,
    found: searched.found.filter(({ file }) => !isLetter(file)),
    othersLetters: [...new Set(searched.found.map(({ file }) => file).filter(isLetter))],
    blockedWals,
  };
}
