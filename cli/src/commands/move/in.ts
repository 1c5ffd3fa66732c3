import { dirname, join } from 'node:path';
import { type KeptKey, makeFolder, nowOf, writeOnce } from '@oja/platform';
import type { Answer } from '../../answers/index.js';
import { refuseForeignLog } from '../../runtime/log-identity.js';
import { createMoveMark, readMove, readMoveEntry } from '../../runtime/move-mark.js';
import { refuseRunning } from '../../runtime/running-processes.js';
import { failedExit } from '../../terminal/exit.js';
import { compareWithLog, importLog } from '../transfer/import.js';
import { adoptLog } from '../transfer/import-mode.js';
import type { Source } from '../transfer/source.js';
import { type Counts, eventsOf, type Header, linesOfPart, type MarketLine } from './archive.js';
import type { MoveSource } from './out.js';
import { isMoved } from './state-spaces.js';

/** An archive that was checked. */
export interface Archive {
  readonly source: Source;
  readonly header: Header;
  readonly counts: Counts;
}

export type MovedIn = Exclude<Answer<'move in'>, { readonly dryRun: true }>;

/** Keys adopted in one call. */
const KEYS_AT_ONCE = 1_000;
/** Entries of State written concurrently. */
const ENTRIES_AT_ONCE = 200;

const notEmptyExit = (what: string) =>
  failedExit(
    `There is another market here (${what}): move into an empty place; nothing was moved.`,
  );

async function requireEmptyMarket({ engines: { state, keys }, clock }: MoveSource): Promise<void> {
  for (const space of await state.spaces()) {
    if (!isMoved(space)) continue;
    const [entry] = await state.list(space, '', clock.now(), { limit: 1 });
    if (entry !== undefined) throw notEmptyExit(`${space} in its state`);
  }
  const [key] = await keys.kept(null, 1);
  if (key !== undefined) throw notEmptyExit('keys of people');
}

/**
 * Checks, before anything is written, whether an archive may be brought in: into an empty market, into one that has
 * a killed move of the same archive, or into one with the state and keys that it was moved out of.
 * @throws Exit 1 for any other market; 78 when State belongs to another log and its market was not moved out.
 */
export async function checkBeforeMoveIn(
  market: MoveSource,
  { source, header }: Archive,
  signal: AbortSignal,
): Promise<{ readonly already: boolean; readonly added: number; readonly known: number }> {
  const before = await readMove(market);
  // While it moves, State belongs to the log that it was moved out of.
  if (before === null || (before.way === 'in' && before.done)) await refuseForeignLog(market, true);
  if (before !== null && before.id !== header.id && !(before.way === 'in' && before.done))
    throw notEmptyExit(
      before.way === 'in' ? 'half of another archive' : 'one that was moved out of here',
    );
  const isSame = before?.id === header.id;
  if (isSame && before?.way === 'in' && before.done) return { already: true, added: 0, known: 0 };
  if (!isSame) await requireEmptyMarket(market);
  const compared = await compareWithLog(market.engines.eventStore, eventsOf(source), signal);
  if (compared.beyond > 0) throw notEmptyExit('events of its own');
  if (!isSame && compared.known > 0) throw notEmptyExit('events of the same market');
  return { already: false, ...compared };
}

async function importKeys(
  { engines: { keys } }: MoveSource,
  { source }: Archive,
  tick: () => void,
): Promise<void> {
  let kept: KeptKey[] = [];
  for await (const { subject, wrapped } of linesOfPart(source, 'keys')) {
    kept.push({ subject, wrapped });
    tick();
    if (kept.length < KEYS_AT_ONCE) continue;
    await keys.adopt(kept);
    kept = [];
  }
  await keys.adopt(kept);
}

type StateLine = Extract<MarketLine, { readonly part: 'state' }>;

async function importState(
  { engines: { state }, clock }: MoveSource,
  { source }: Archive,
  requireMark: () => Promise<void>,
  tick: () => void,
): Promise<void> {
  let entries: StateLine[] = [];
  // Started and awaited together, so that no rejection stays unhandled.
  async function write(): Promise<void> {
    // Where another move in has ended, the market may be open, and these entries are older than its own.
    await requireMark();
    const put = ({ space, key, value, expiresAt }: StateLine) =>
      state.put(space, key, value, clock.now(), { expiresAt });
    await Promise.all(entries.map(put));
    entries = [];
  }
  for await (const entry of linesOfPart(source, 'state')) {
    tick();
    // Entries that have expired since the move out are dropped.
    if (entry.expiresAt !== null && entry.expiresAt <= clock.now()) continue;
    entries.push(entry);
    if (entries.length === ENTRIES_AT_ONCE) await write();
  }
  await write();
}

async function importPictures(
  { config: { dataDir } }: MoveSource,
  { source }: Archive,
  tick: () => void,
): Promise<void> {
  for await (const { name, content } of linesOfPart(source, 'pictures')) {
    const path = join(dataDir, name);
    makeFolder(dirname(path));
    writeOnce(path, Buffer.from(content, 'base64'), 0o600);
    tick();
  }
}

/**
 * Brings a whole market in. The market cannot be opened before this ends; after a kill, the same call goes on. The
 * next start builds the read models, and goes through all keys again.
 * @throws Exit 1 when another market is here, or the market runs, and nothing was changed then; or when another move
 *   began meanwhile.
 */
export async function moveIn(
  market: MoveSource,
  archive: Archive,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<MovedIn> {
  const { clock } = market;
  const { header, counts, source } = archive;
  const before = await readMoveEntry(market);
  const { already } = await checkBeforeMoveIn(market, archive, signal);
  if (already) return { already, counts, added: 0 };
  const at = nowOf({ clock });
  const mark = createMoveMark(market, before, { id: header.id, way: 'in', at });
  await mark.set();
  // A process announces itself before it looks for this mark, so at least one of the two notices the other.
  await refuseRunning(market, 'nothing was moved').catch(async (error: unknown) => {
    await mark.undo();
    throw error;
  });

  let done = 0;
  const tick = () => {
    signal.throwIfAborted();
    onProgress(++done);
  };
  // Keys first: a destroyed key is known to be destroyed before any data of that person arrives.
  await importKeys(market, archive, tick);
  const keysDone = done;
  const importing = {
    events: () => eventsOf(source),
    // State comes along, which knows the sent ones.
    suppressesLetter: () => false,
    isClosed: true,
  };
  const { added } = await importLog(market, importing, signal, (events) => {
    done = keysDone + events;
    onProgress(done);
  });
  await importState(market, archive, mark.require, tick);
  await importPictures(market, archive, tick);
  await mark.require();
  await adoptLog(market);
  await mark.complete();
  return { already, counts, added };
}
