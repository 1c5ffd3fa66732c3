import { nowOf, type ParkedStream, type RecordedEvent } from '@oja/platform';
import {
  type Projection,
  projections,
  releaseStream,
  type StoredGeneration,
  storedStatus,
} from '@oja/projector';
import { v7 } from 'uuid';
import type { Answer } from '../answers/index.js';
import { type AppContext, withContext } from '../runtime/context.js';
import { recordByOperator } from '../runtime/operator.js';
import { failedExit, usageExit } from '../terminal/exit.js';
import {
  finishUnread,
  formatTable,
  type Output,
  plural,
  printAnswer,
  printJson,
  printLine,
} from '../terminal/output.js';
import { nearestHint } from '../terminal/usage.js';
import { formatEvent } from './events/format-event.js';
import { projectionNamed } from './shared/named.js';

export interface Parked {
  readonly projection: Projection;
  readonly generation: number;
  readonly role: StoredGeneration['role'];
  readonly stream: ParkedStream;
}

/** All parked streams, in every stored generation of these projections. */
async function allParked(
  { engines, clock }: AppContext,
  of: readonly Projection[] = projections,
): Promise<readonly Parked[]> {
  const generations = await storedStatus(engines, of, clock.now());
  return generations.flatMap(({ projection, generation, role, parked }) =>
    parked.map((stream) => ({ projection: projectionNamed(projection), generation, role, stream })),
  );
}

/** One stream's parked entries in a projection, one per generation. @throws Exit 2 naming the nearest parked stream. */
export async function parkedStream(
  context: AppContext,
  projectionName: string,
  stream: string,
): Promise<readonly Parked[]> {
  const projection = projectionNamed(projectionName);
  const all = await allParked(context, [projection]);
  const found = all.filter((parked) => parked.stream.stream === stream);
  if (found.length > 0) return found;
  const hint = nearestHint(
    stream,
    all.map((parked) => parked.stream.stream),
  );
  throw usageExit(`${projection.name} has not parked a stream '${stream}'${hint}.`);
}

export interface Release {
  readonly how: 'retry' | 'skip';
  readonly reason: string;
  /** The last revision to skip; for 'skip' only. */
  readonly through?: number;
}

export type Released = Answer<'quarantine skip'>;

/**
 * The revisions to skip: from the first waiting event to `through`, by default that first one. What is appended later
 * is never among them.
 */
async function revisionsToSkip(
  { engines }: AppContext,
  { stream: { stream, revision: from } }: Parked,
  { how, through = from }: Release,
): Promise<readonly number[]> {
  if (how === 'retry') return [];
  const revisions: number[] = [];
  for await (const { revision } of engines.eventStore.readStream(stream, { from })) {
    if (revision > through) break;
    revisions.push(revision);
  }
  return revisions;
}

type Waiting = Pick<Parked, 'projection' | 'generation'> & { readonly stream: string };

/** Records the decision about a parked stream, then releases it. `skip`: the revisions to pass over. */
export function recordAndRelease(
  { engines, clock }: AppContext,
  { projection, generation, stream }: Waiting,
  { how, reason }: Pick<Release, 'how' | 'reason'>,
  skip: readonly number[] = [],
): ReturnType<typeof releaseStream> {
  const { eventStore, documents } = engines;
  const data = {
    projection: projection.name,
    stream,
    how,
    reason,
    at: nowOf({ clock }),
    ...(how === 'skip' && { skipped: [...skip] }),
  };
  const commandId = v7();
  return releaseStream({
    eventStore,
    documents,
    projection,
    generation,
    stream,
    skip,
    // Recorded before the release: a rebuild must never stop at an event that the live model has skipped.
    decided: async () => {
      await recordByOperator({ engines, clock }, { type: 'StreamReleased', data }, commandId);
    },
  });
}

/** Lets a parked stream follow the log again. @throws Exit 1 when it stays parked. */
export async function release(
  context: AppContext,
  parked: Parked,
  asked: Release,
): Promise<Released> {
  const { projection, generation } = parked;
  const { stream } = parked.stream;
  const waiting = { projection, generation, stream };
  const skip = await revisionsToSkip(context, parked, asked);
  const result = await recordAndRelease(context, waiting, asked, skip);
  if (!result.ok) {
    const { name } = projection;
    if (result.reason === 'poisoned') {
      const { event, error } = result.poison;
      throw failedExit(
        `${stream} waits as before: ${event.type} at revision ${event.revision} cannot be projected: ${error}. Fix the code and retry, or run oja quarantine skip ${name} ${stream} --through ${event.revision} --reason '…'.`,
      );
    }
    throw failedExit(`${stream} was not released (${result.reason}); try again.`);
  }
  return { model: parked.stream.model, stream, events: result.events };
}

export async function list(options: Output): Promise<void> {
  await withContext(async (context) => {
    const parked = await allParked(context);
    const rows = parked.map((each) => ({ role: each.role, ...each.stream }));
    printAnswer<'quarantine list'>(options, rows, () =>
      rows.length === 0
        ? ['No stream is parked.']
        : formatTable([
            ['read model', 'stream', 'at', 'waiting', 'since', 'error'],
            ...rows.map(({ model, stream, revision, events, since, error }) => [
              model,
              stream,
              String(revision),
              plural(events, 'event'),
              since,
              error,
            ]),
          ]),
    );
  });
}

export async function showParked(
  projection: string,
  stream: string,
  options: Output,
): Promise<void> {
  await withContext(async (context) => {
    for (const parked of await parkedStream(context, projection, stream)) {
      const { revision, error, events } = parked.stream;
      const waiting: RecordedEvent[] = [];
      for await (const event of context.engines.eventStore.readStream(stream, { from: revision }))
        waiting.push(event);
      printAnswer<'quarantine show'>(options, { ...parked.stream, waiting }, () => [
        `${parked.stream.model} stopped ${stream} at revision ${revision}: ${error}`,
        `Waiting: ${plural(events, 'event')}`,
        ...waiting.map((event) => `  ${formatEvent(event)}`),
      ]);
    }
  });
}

async function releaseAll(
  projection: string,
  stream: string,
  asked: Release,
  options: Output,
): Promise<void> {
  await withContext(async (context) => {
    const all = await parkedStream(context, projection, stream);
    // Another generation may be parked at an event behind `through`, which nobody has named.
    const named = all.filter((parked) => (asked.through ?? Infinity) >= parked.stream.revision);
    if (named.length === 0) {
      const first = Math.min(...all.map((parked) => parked.stream.revision));
      throw usageExit(
        `${stream} waits at revision ${first}: --through ${first} skips that event. Nothing was changed.`,
      );
    }
    await finishUnread(async () => {
      for (const parked of named) {
        const released = await release(context, parked, asked);
        if (options.json) printJson<'quarantine retry' | 'quarantine skip'>(released);
        else printLine(`${released.stream} follows the log again in ${released.model}.`);
      }
    });
  });
}

export const retry = (projection: string, stream: string, options: Output): Promise<void> =>
  releaseAll(projection, stream, { how: 'retry', reason: 'retried by an operator' }, options);

type SkipOptions = Output & { readonly reason?: string; readonly through?: number };

export async function skip(
  projection: string,
  stream: string,
  options: SkipOptions,
): Promise<void> {
  const { reason, through } = options;
  if (reason === undefined || reason.trim() === '')
    throw usageExit("Say why the event is skipped for ever: --reason '…'.");
  const asked = { how: 'skip', reason, ...(through !== undefined && { through }) } as const;
  await releaseAll(projection, stream, asked, options);
}
