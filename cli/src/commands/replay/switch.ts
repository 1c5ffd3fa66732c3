import { modelKey, nowOf } from '@oja/platform';
import {
  dropVersion,
  otherVersions,
  type Projection,
  pointerOf,
  removeOldGenerations,
  rollback,
  type SwitchResult,
  switchTo,
} from '@oja/projector';
import type { ReplayAnswer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import { recordByOperator } from '../../runtime/operator.js';
import { isRunning } from '../../runtime/running-processes.js';
import { failedExit } from '../../terminal/exit.js';
import { waitForGeneration } from '../shared/wait-for-models.js';

const SPACE = 'replay';

/** The generation of a replay that has begun and is not cleaned up yet. */
type Pending = { readonly generation: number };

/** The generation of the replay under way, or null. Kept in State, because a replay replaces read models. */
export async function pendingReplay(
  { engines, clock }: AppContext,
  projection: Projection,
): Promise<number | null> {
  const entry = await engines.state.get<Pending>(SPACE, modelKey(projection), clock.now());
  return entry?.value.generation ?? null;
}

export async function storePendingReplay(
  { engines, clock }: AppContext,
  projection: Projection,
  generation: number,
): Promise<void> {
  await engines.state.put(SPACE, modelKey(projection), { generation }, clock.now());
}

export async function clearPendingReplay(
  { engines }: AppContext,
  projection: Projection,
): Promise<void> {
  await engines.state.delete(SPACE, modelKey(projection));
}

type Switched = ReplayAnswer<'switch'>;

async function recordSwitch(
  context: AppContext,
  { name }: Projection,
  { from, to }: Switched,
  commandId?: string,
): Promise<void> {
  const at = nowOf(context);
  const data = { projection: name, from, to, at };
  await recordByOperator(context, { type: 'ReplaySwitched', data }, commandId);
}

/**
 * In a market that nobody serves, no projector feeds the other generation, so this process does, as long as that is
 * what keeps it from going live.
 */
async function feedUntilCaughtUp(
  context: AppContext,
  projection: Projection,
  generation: number,
  signal: AbortSignal,
): Promise<void> {
  if (await isRunning(context)) return;
  await waitForGeneration(context, projection, generation, signal);
}

function switchedOrExit(name: string, result: SwitchResult): Switched {
  if (result.ok) return result;
  const why =
    result.reason === 'behind'
      ? 'the other generation is behind the live one; wait until it has caught up (oja replay watch)'
      : 'there is no other generation that follows the log';
  throw failedExit(`${name} was not switched: ${why}.`);
}

/** Makes a generation live, with one write. `commandId`: given when the call may be repeated after a kill. */
export async function makeLive(
  context: AppContext,
  projection: Projection,
  generation: number,
  signal: AbortSignal,
  commandId?: string,
): Promise<Switched> {
  const { documents } = context.engines;
  await feedUntilCaughtUp(context, projection, generation, signal);
  const result = await switchTo(documents, projection, generation);
  const { from, to } = switchedOrExit(projection.name, result);
  // It was live already when a kill came between the switch and its record.
  const previous = from === to ? (await pointerOf(documents, projection))?.previous : from;
  const switched = { ok: true, from: previous ?? from, to } as const;
  await recordSwitch(context, projection, switched, commandId);
  return switched;
}

/**
 * Makes the previously live generation live again. Run a second time, it is refused: it would undo the first.
 * @throws Exit 1 when there is none, it is behind, or the last switch was a rollback.
 */
export async function rollBack(
  context: AppContext,
  projection: Projection,
  signal: AbortSignal,
): Promise<Switched> {
  const { documents } = context.engines;
  const { name } = projection;
  const pointer = await pointerOf(documents, projection);
  const previous = pointer?.previous ?? null;
  if (pointer !== null && previous !== null) {
    if (previous > pointer.live)
      throw failedExit(
        `${name} was rolled back already: it is read from generation ${pointer.live}. To take generation ${previous} again: oja replay switch ${name}.`,
      );
    await feedUntilCaughtUp(context, projection, previous, signal);
  }
  const result = await rollback(documents, projection);
  const switched = switchedOrExit(projection.name, result);
  await recordSwitch(context, projection, switched);
  await clearPendingReplay(context, projection);
  return switched;
}

/** How long to wait for readers that remember another live generation: 0 where nothing serves the market. */
const readerGrace = async (context: AppContext): Promise<number | undefined> =>
  (await isRunning(context)) ? undefined : 0;

/** Drops every generation but the live one; returns their numbers. */
export async function cleanGenerations(
  context: AppContext,
  projection: Projection,
): Promise<readonly number[]> {
  const { documents } = context.engines;
  const grace = await readerGrace(context);
  const { generations } = await removeOldGenerations(documents, projection, grace);
  await clearPendingReplay(context, projection);
  return generations;
}

/** Drops the versions of a read model that other releases built; returns them. */
export async function cleanOtherVersions(
  context: AppContext,
  projection: Projection,
): Promise<readonly number[]> {
  const { documents } = context.engines;
  const others = await otherVersions(documents, projection);
  const grace = await readerGrace(context);
  for (const other of others) await dropVersion(documents, other, grace);
  return others.map(({ version }) => version);
}
