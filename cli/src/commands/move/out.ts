import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eachEntry, nowOf, probeOf } from '@oja/platform';
import type { Answer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import { createMoveMark, readMoveEntry } from '../../runtime/move-mark.js';
import { VERSION } from '../../runtime/program.js';
import { refuseRunning, runningProcesses } from '../../runtime/running-processes.js';
import { configExit, failedExit } from '../../terminal/exit.js';
import { picturesIn } from '../backup/manifest.js';
import { type LineWriter, writeWholeFile } from '../transfer/whole-file.js';
import {
  type ArchivePart,
  type Counts,
  type Header,
  type MarketLine,
  noCounts,
  sessionsProbeOf,
  type Trailer,
} from './archive.js';
import { isMoved } from './state-spaces.js';

/** The parts of a market that a move reads and writes. */
export interface MoveSource extends Pick<AppContext, 'clock' | 'logId'> {
  readonly engines: Pick<AppContext['engines'], 'eventStore' | 'state' | 'keys'>;
  readonly config: Pick<AppContext['config'], 'dataDir' | 'demo' | 'keysMasterKey' | 'tokenSecret'>;
}

export type MovedOut = Answer<'move out'>;

/** A line of a part before serialization: its fields, with values of any type. */
type Written<P extends ArchivePart> = P extends ArchivePart
  ? { readonly [K in keyof Extract<MarketLine, { readonly part: P }>]: unknown } & {
      readonly part: P;
    }
  : never;

/** All entries of State that move along, space by space. */
async function* stateOf({
  engines: { state },
  clock,
}: MoveSource): AsyncGenerator<Written<'state'>> {
  for (const space of await state.spaces()) {
    if (!isMoved(space)) continue;
    for await (const { key, value, expiresAt } of eachEntry(state, space, '', clock.now()))
      yield { part: 'state', space, key, value, expiresAt };
  }
}

async function* keysOf({ engines: { keys } }: MoveSource): AsyncGenerator<Written<'keys'>> {
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof keys.kept>> = await keys.kept(after);
    for (const { subject, wrapped } of page) yield { part: 'keys', subject, wrapped };
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.subject;
  }
}

function* picturesOf({ config: { dataDir } }: MoveSource): Generator<Written<'pictures'>> {
  for (const name of picturesIn(dataDir)) {
    const content = readFileSync(join(dataDir, name)).toString('base64');
    yield { part: 'pictures', name, content };
  }
}

async function writeParts(
  market: MoveSource,
  writer: LineWriter,
  onProgress: (lines: number) => void,
): Promise<Counts> {
  const counts = noCounts();
  let lines = 0;
  const write = async (line: Written<ArchivePart>) => {
    await writer.line(line);
    counts[line.part] += 1;
    onProgress(++lines);
  };
  for await (const event of market.engines.eventStore.readAll({ after: null }))
    await write({ part: 'log', event } satisfies Written<'log'>);
  for (const of of [stateOf(market), keysOf(market), picturesOf(market)])
    for await (const line of of) await write(line);
  return counts;
}

/**
 * Writes everything of a market that cannot be rebuilt into one file, and closes the market from the first line on,
 * so that nothing happens that the file lacks. A second run writes the same market again, under the same id.
 * @throws Exit 1 when the market runs, an event was appended or another move began meanwhile, 78 while it is being moved
 *   in; the market is as open then as it was before.
 */
export async function moveOut(
  market: MoveSource,
  file: string,
  signal: AbortSignal,
  onProgress: (lines: number) => void,
): Promise<MovedOut> {
  const { engines, clock, config, logId } = market;
  const before = await readMoveEntry(market);
  const last = before?.value;
  if (last?.way === 'in' && !last.done)
    throw configExit('A market is being moved in here: finish that first.');
  const at = nowOf({ clock });
  const begun = last?.way === 'out' ? last : ({ id: randomUUID(), way: 'out', at } as const);
  const mark = createMoveMark(market, before, begun);
  const moved = await writeWholeFile(file, config.dataDir, signal, async (writer) => {
    await mark.set();
    // A process announces itself before it looks for this mark, so at least one of the two notices the other.
    await refuseRunning(market, 'nothing was moved');
    const head = await engines.eventStore.head();
    const header: Header = {
      kind: 'oja-market',
      format: 1,
      id: begun.id,
      at,
      logId,
      release: VERSION,
      demo: config.demo,
      keysProbe: probeOf(config.keysMasterKey),
      sessionsProbe: sessionsProbeOf(config.tokenSecret),
    };
    await writer.line(header);
    const counts = await writeParts(market, writer, onProgress);
    // An earlier release looks for no mark any more when it has announced itself.
    const isServed = (await runningProcesses(market)).length > 0;
    if (isServed || (await engines.eventStore.head()) !== head)
      throw failedExit(
        'The market was opened, or something was written to it, meanwhile: stop every service and run it again.',
      );
    await mark.require();
    const sha256 = await writer.end(
      (sum): Trailer => ({ kind: 'oja-market-end', counts, sha256: sum }),
    );
    return { id: begun.id, counts, sha256 };
  }).catch(async (error: unknown) => {
    // A move out that was not written must not close the market.
    await mark.undo();
    throw error;
  });
  await mark.complete();
  return moved;
}
