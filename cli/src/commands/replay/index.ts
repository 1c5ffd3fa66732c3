import { generationKey, type ParkedStream, pause, QUARANTINE } from '@oja/platform';
import {
  createCleanCopy,
  type DocumentPlace,
  type Projection,
  parkedId,
  pointerOf,
  repair,
  type StoredGeneration,
  storedStatus,
} from '@oja/projector';
import { type AppContext, withContext } from '../../runtime/context.js';
import { isRunning } from '../../runtime/running-processes.js';
import { type ConfirmOptions, confirm } from '../../terminal/confirm.js';
import { exitCodes, failedExit } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import {
  finishUnread,
  formatMegabytes,
  formatRoughly,
  type Output,
  plural,
  printAnswer,
  printLine,
} from '../../terminal/output.js';
import { createProgress } from '../../terminal/progress.js';
import { recordAndRelease } from '../quarantine.js';
import { diskSpaceFor } from '../shared/disk-space.js';
import { countEvents } from '../shared/event-progress.js';
import { existingStream, projectionNamed } from '../shared/named.js';
import { linesOfDifferences } from '../verify/model.js';
import { build, differenceOf, generationsOf } from './next-generation.js';
import {
  cleanGenerations,
  cleanOtherVersions,
  clearPendingReplay,
  makeLive,
  rollBack,
} from './switch.js';
import { planReplay, replayWhole } from './whole.js';

type Options = Output &
  ConfirmOptions & {
    readonly stream?: string;
    readonly building?: boolean;
    readonly force?: boolean;
  };
type Step = (
  context: AppContext,
  projection: Projection,
  options: Options,
  signal: AbortSignal,
) => Promise<void>;

const steps = {
  async plan(context, projection, options, signal) {
    const plan = await planReplay(context, projection, signal);
    const room = await diskSpaceFor(context, projection, context.config.dataDir);
    printAnswer<'replay'>(options, { ...plan, room }, () => [
      `${plan.projection} v${plan.version} reads ${plan.read} of ${plural(plan.events, 'event')}; a replay takes ${formatRoughly(plan.seconds)}.`,
      ...(room === null
        ? []
        : [
            `It takes about ${formatMegabytes(room.needed)}; ${formatMegabytes(room.free)} are free in ${room.folder}.`,
          ]),
    ]);
  },
  async start(context, projection, options, signal) {
    const generation = await build(context, projection, { ...options, signal });
    printAnswer<'replay'>(options, { projection: projection.name, generation }, () => [
      `Generation ${generation} of ${projection.name} is built beside the live one; next: oja replay verify ${projection.name}`,
    ]);
  },
  async watch(context, projection, options, signal) {
    const generations = await watchReplay(context, projection, signal);
    printAnswer<'replay'>(options, generations, () =>
      generations.map(
        ({ generation, role, lag }) =>
          `generation ${generation} (${role}): ${plural(lag.events, 'event')} behind`,
      ),
    );
  },
  async verify(context, projection, options, signal) {
    const generations = await generationsOf(context, projection);
    const found = await differenceOf(context, projection, generations, signal);
    const { live, next } = generations;
    const ok = found.differences.length === 0;
    printAnswer<'replay'>(options, { ok, ...generations, ...found }, () => [
      ok
        ? `Generation ${next} is equal to the live generation ${live}: ${plural(found.documents, 'document')}.`
        : `Generation ${next} differs from the live generation ${live} in ${plural(found.differences.length, 'document')}:`,
      ...linesOfDifferences(found.differences),
    ]);
    if (!ok) process.exitCode = exitCodes.failed;
  },
  async switch(context, projection, options, signal) {
    const { live, next } = await generationsOf(context, projection);
    // Without this check a second `switch` would undo the first.
    if (next < live)
      throw failedExit(
        `Generation ${live} of ${projection.name} is live, and none is built after it. To go back to ${next}: oja replay rollback ${projection.name}.`,
      );
    const switched = await makeLive(context, projection, next, signal);
    await clearPendingReplay(context, projection);
    printAnswer<'replay'>(options, switched, () => [
      `${projection.name} is read from generation ${switched.to}; oja replay rollback goes back to ${switched.from}.`,
    ]);
  },
  async rollback(context, projection, options, signal) {
    const switched = await rollBack(context, projection, signal);
    printAnswer<'replay'>(options, switched, () => [
      `${projection.name} is read from generation ${switched.to} again.`,
    ]);
  },
  async clean(context, projection, options) {
    const building = (await pointerOf(context.engines.documents, projection))?.building ?? null;
    if (building !== null && options.building !== true)
      throw failedExit(
        `Generation ${building} of ${projection.name} is being built, perhaps by somebody else at this moment; nothing was deleted. If nobody builds it: oja replay clean ${projection.name} --building.`,
      );
    await confirm(
      `Every generation of ${projection.name} except the live one will be deleted, and every version that another release has built. Then no rollback is possible, and a release that still reads its own version waits until that is rebuilt.`,
      options,
    );
    const generations = await cleanGenerations(context, projection);
    const versions = await cleanOtherVersions(context, projection);
    const parts = [
      ...(generations.length > 0 ? [`generation ${generations.join(', ')}`] : []),
      ...(versions.length > 0 ? [`version ${versions.join(', ')}`] : []),
    ];
    printAnswer<'replay'>(options, { generations, versions }, () => [
      parts.length === 0 ? 'There was nothing to clean.' : `Deleted: ${parts.join(' and ')}.`,
    ]);
  },
} satisfies Readonly<Record<string, Step>>;
export type ReplayStep = keyof typeof steps;

export async function replay(
  stepName: ReplayStep | null,
  name: string,
  options: Options,
): Promise<void> {
  const step: Step | null = stepName && steps[stepName];
  const projection = projectionNamed(name);
  const signal = interruptSignal();
  await withContext(async (context) => {
    if (step !== null) return step(context, projection, options, signal);
    if (options.stream !== undefined) {
      const repaired = await repairStream(context, projection, options.stream, signal);
      return printAnswer<'replay'>(options, { repaired }, () => [
        `${plural(repaired.length, 'document')} put right.`,
        ...repaired.map(({ collection, id }) => `  ${collection} ${id}`),
      ]);
    }
    const sayProgress = options.json ? () => {} : printLine;
    const replayed = await finishUnread(() =>
      replayWhole(context, projection, { ...options, signal }, sayProgress),
    );
    if (options.json) printAnswer<'replay'>(options, replayed, () => []);
  });
}

/** Releases the stream first if it is parked: its documents lack exactly the events that wait. */
async function released(
  context: AppContext,
  projection: Projection,
  generation: number,
  stream: string,
): Promise<void> {
  const { documents } = context.engines;
  const id = parkedId(generationKey(projection, generation), stream);
  if ((await documents.get<ParkedStream>(QUARANTINE, id)) === null) return;
  const { name } = projection;
  const why = { how: 'retry', reason: 'repair' } as const;
  const result = await recordAndRelease(context, { projection, generation, stream }, why);
  if (!result.ok && result.reason === 'poisoned') {
    throw failedExit(
      `${stream} stays parked: ${result.poison.error}. See oja quarantine show ${name} ${stream}.`,
    );
  }
}

/**
 * Sets the documents of the live generation that one stream has touched to what a clean rebuild gives.
 * Returns those that were wrong. @throws Exit 1 when the stream stays parked, when another waits that can be
 * projected now, or when the market is too busy.
 */
async function repairStream(
  context: AppContext,
  projection: Projection,
  text: string,
  signal: AbortSignal,
): Promise<readonly DocumentPlace[]> {
  const { eventStore, documents } = context.engines;
  const stream = await existingStream(context, text);
  const pointer = await pointerOf(documents, projection);
  if (pointer === null) throw failedExit(`No projector has begun ${projection.name} yet.`);
  await released(context, projection, pointer.live, stream);
  const total = await countEvents(eventStore, null, signal);
  const progress = createProgress(`${projection.name}: building`);
  const copy = await createCleanCopy({
    eventStore,
    projection,
    signal,
    trace: stream,
    onProgress: (events) => progress.update(events, total),
  });
  try {
    const result = await repair(documents, projection, pointer.live, copy);
    if (result.ok) return result.repaired;
    if (result.reason === 'parked') {
      const retries = result.streams.map(
        (parked) => `oja quarantine retry ${projection.name} ${parked}`,
      );
      throw failedExit(
        `Nothing was repaired: what waits in quarantine can be projected now, and would count twice later. First: ${retries.join('; ')}.`,
      );
    }
    throw failedExit('The market was too busy to be repaired; try again.');
  } finally {
    progress.end();
    await copy.close();
  }
}

const POLL_MS = 500;

/**
 * Shows the progress of the newest generation until it has caught up with the log.
 * @throws Exit 1 when it is behind and nothing serves the market: it would stay so for ever.
 */
async function watchReplay(
  context: AppContext,
  projection: Projection,
  signal: AbortSignal,
): Promise<readonly StoredGeneration[]> {
  const { engines, clock } = context;
  const progress = createProgress(`${projection.name}: following`);
  let most = 1;
  for (;;) {
    const generations = await storedStatus(engines, [projection], clock.now());
    const newest = generations.at(-1);
    const left = newest?.lag.events ?? 0;
    most = Math.max(most, left);
    progress.update(most - left, most);
    if (newest === undefined || left === 0 || signal.aborted) {
      progress.end();
      return generations;
    }
    if (!(await isRunning(context))) {
      progress.end();
      const { name } = projection;
      throw failedExit(
        `Generation ${newest.generation} of ${name} is ${plural(left, 'event')} behind and stays so, because nothing serves the market: start it, or run oja replay switch ${name}, which catches up by itself.`,
      );
    }
    await pause(POLL_MS, signal);
  }
}
