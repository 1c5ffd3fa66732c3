import { files, KeyLingers } from '@oja/platform';
import type { Answer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import { record } from '../shared/operator.js';
import { truncateWals } from '../shared/wals.js';
import { openedOf, type Subject, sealedOf } from './sealed.js';
import { searchFiles } from './search.js';

/** What was done and what was looked for, so that somebody else can be shown it. */
export type Proof = Omit<Answer<'erase'>, 'ok' | 'goodsRemoved' | 'sessionsEnded' | 'stays'>;

export const isProven = ({ keyDestroyed, readable, found, blockedWals }: Proof): boolean =>
  keyDestroyed && readable === 0 && found.length === 0 && blockedWals.length === 0;

/** Shorter texts stand in many places for other reasons. */
const TELLING_LENGTH = 8;

/** What lingers is named below as the WAL of the keys; the market's sweep tries again as well. */
function unlessLingering(error: unknown): void {
  if (!(error instanceof KeyLingers)) throw error;
}

/**
 * Records that the subject is to be forgotten, destroys the key and the letters, and looks whether
 * anything is left. Repeating it repeats the proof as far as it still can be given.
 */
export async function eraseSubject(context: AppContext, subject: Subject): Promise<Proof> {
  const { engines, clock, config } = context;
  const sealed = await sealedOf(context, subject);
  const known = await openedOf(context, sealed);
  const at = new Date(clock.now()).toISOString();
  // Before the key goes: a restored copy learns from the event that it has to go again.
  await record(context, { type: 'SubjectErased', data: { subject: subject.key, at } });
  await engines.keys.destroy(subject.key).catch(unlessLingering);
  await engines.mail.forget(subject.key);
  const blockedWals = await truncateWals(context);

  const [telling, short] = [
    known.filter(({ text }) => text.length >= TELLING_LENGTH),
    known.filter(({ text }) => text.length < TELLING_LENGTH),
  ];
  const searched = searchFiles(config.dataDir, telling);
  const isLetter = (file: string) => file.startsWith(`${files.mail}/`);
  const fieldNames = (values: typeof known) => [...new Set(values.map(({ field }) => field))];
  return {
    subject: subject.key,
    keyDestroyed:
      (await engines.keys.isDestroyed(subject.key)) &&
      (await engines.keys.find(subject.key)) === null,
    sealed: sealed.length,
    readable: (await openedOf(context, sealed)).length,
    searchedFor: fieldNames(telling),
    tooShort: fieldNames(short),
    filesSearched: searched.files,
    bytesSearched: searched.bytes,
    found: searched.found.filter(({ file }) => !isLetter(file)),
    othersLetters: [...new Set(searched.found.map(({ file }) => file).filter(isLetter))],
    blockedWals,
  };
}
