import {
  clean,
  dropVersion,
  otherVersions,
  type Projection,
  rollback,
  type SwitchResult,
  switchTo,
} from '@oja/projector';
import { Exit, exitCodes } from '../../market/exit.js';
import type { Ground } from '../../market/part.js';
import { record } from '../shared/record.js';
import { replayEnded } from './pending.js';

export interface Turned {
  readonly from: number;
  readonly to: number;
}

async function recorded(
  ground: Ground,
  { name }: Projection,
  { from, to }: Turned,
  commandId?: string,
): Promise<void> {
  const at = new Date(ground.clock.now()).toISOString();
  const data = { projection: name, from, to, at };
  await record(ground, { type: 'ReplaySwitched', data }, commandId);
}

function turnedOrExit(name: string, result: SwitchResult): Turned {
  if (result.ok) return result;
  const why =
    result.reason === 'behind'
      ? 'the other generation stands behind the live one; wait until it has passed (oja replay watch)'
      : 'there is no other generation that follows the log';
  throw new Exit(exitCodes.failed, `${name} was not switched: ${why}.`);
}

/** Makes the next generation live: one write. `commandId` where it may be repeated after a kill. */
export async function turnTo(
  ground: Ground,
  projection: Projection,
  generation: number,
  commandId?: string,
): Promise<Turned> {
  const { documents } = ground.engines;
  const result = await switchTo(documents, projection, generation);
  const turned = turnedOrExit(projection.name, result);
  await recorded(ground, projection, turned, commandId);
  return turned;
}

/** Back to the generation that was live before. */
export async function turnBack(ground: Ground, projection: Projection): Promise<Turned> {
  const result = await rollback(ground.engines.documents, projection);
  const turned = turnedOrExit(projection.name, result);
  await recorded(ground, projection, turned);
  await replayEnded(ground, projection);
  return turned;
}

/** Drops every generation but the live one. */
export async function cleaned(ground: Ground, projection: Projection): Promise<readonly number[]> {
  const { generations } = await clean(ground.engines.documents, projection);
  await replayEnded(ground, projection);
  return generations;
}

/** Drops what other releases have built of a read model; answers the versions. */
export async function cleanedVersions(
  { engines }: Ground,
  projection: Projection,
): Promise<readonly number[]> {
  const others = await otherVersions(engines.documents, projection);
  for (const other of others) await dropVersion(engines.documents, other);
  return others.map(({ version }) => version);
}
