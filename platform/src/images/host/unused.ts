import type { State } from '../../state/port.js';

const SPACE = 'image-uploads';
const DIGITS = 15;
/** How long an uploaded picture may wait for its product. */
const UNUSED_MS = 24 * 60 * 60_000;

const keyOf = (at: number, name: string): string => `${String(at).padStart(DIGITS, '0')}:${name}`;

/** Remembers an upload before its file is written, so that no crash leaves a file nobody knows. */
export async function rememberUpload(state: State, name: string, now: number): Promise<void> {
  await state.put(SPACE, keyOf(now, name), { name }, now);
}

/**
 * Lets go of uploads older than a day: the used ones are no longer watched, the others removed.
 * Answers how many were removed. `now` in epoch milliseconds.
 */
export async function sweepUnused(
  state: State,
  now: number,
  isUsed: (name: string) => Promise<boolean>,
  remove: (name: string) => Promise<void>,
): Promise<number> {
  const end = keyOf(now - UNUSED_MS, '');
  let removed = 0;
  for (let after = ''; ; ) {
    const uploads = await state.list<{ name: string }>(SPACE, '', now, { after });
    for (const { key, value } of uploads) {
      if (key >= end) return removed;
      if (!(await isUsed(value.name))) {
        await remove(value.name);
        removed += 1;
      }
      await state.delete(SPACE, key);
      after = key;
    }
    if (uploads.length === 0) return removed;
  }
}
