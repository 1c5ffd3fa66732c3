import type { State } from '../../state/port.js';
import { isPictureName } from '../names.js';

const SPACE = 'image-adopted';

/**
 * Says that these pictures belong to something, before it is said anywhere else: a crash in between
 * keeps a picture too many, never one too few. Addresses of other hosts are none of ours.
 */
export async function adoptPictures(
  state: State,
  references: readonly string[],
  now: number,
): Promise<void> {
  const ours = references.filter(isPictureName);
  await Promise.all(ours.map((name) => state.put(SPACE, name, {}, now)));
}

export async function isAdopted(state: State, name: string, now: number): Promise<boolean> {
  return (await state.get(SPACE, name, now)) !== null;
}
