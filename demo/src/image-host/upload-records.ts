import { DAY_MS, HOUR_MS } from '@oja/domain';
import { addressBlock, eachEntry, isWithinAllowingSkew, type State } from '@oja/platform';

const HOURLY = 'image-uploads-by-address';

type Window = { readonly count: number };

/**
 * Counts an upload from an address. Returns 0 while the address is within `perHour`, otherwise the
 * number of seconds to wait. `now` in epoch milliseconds.
 */
export async function countUpload(
  state: State,
  address: string,
  perHour: number,
  now: number,
): Promise<number> {
  const key = addressBlock(address);
  for (;;) {
    const entry = await state.get<Window>(HOURLY, key, now);
    const begunAt = (entry?.expiresAt ?? 0) - HOUR_MS;
    const hour = isWithinAllowingSkew(HOUR_MS, begunAt, now) ? entry : null;
    const count = hour?.value.count ?? 0;
    const expiresAt = hour?.expiresAt ?? now + HOUR_MS;
    if (count >= perHour) return Math.max(Math.ceil((expiresAt - now) / 1000), 1);
    const condition = entry === null ? 'absent' : entry.version;
    const options = { if: condition, expiresAt } as const;
    if ((await state.put(HOURLY, key, { count: count + 1 }, now, options)) !== null) return 0;
  }
}

/** Takes back an upload that `countUpload` has counted: nothing came of it, and its sender will try again. */
export async function uncountUpload(state: State, address: string, now: number): Promise<void> {
  const key = addressBlock(address);
  for (;;) {
    const entry = await state.get<Window>(HOURLY, key, now);
    if (entry === null || entry.value.count === 0) return;
    const { version, expiresAt } = entry;
    const options = { if: version, expiresAt } as const;
    const fewer = { count: entry.value.count - 1 };
    if ((await state.put(HOURLY, key, fewer, now, options)) !== null) return;
  }
}

const UPLOADS = 'image-uploads';
const DIGITS = 15;
/** How long an uploaded picture may wait until a product uses it. */
const UNUSED_MS = DAY_MS;

const keyOf = (at: number, name: string): string => `${String(at).padStart(DIGITS, '0')}:${name}`;

/** Records an upload before its file is written, so that a crash cannot leave a file without a record. */
export async function rememberUpload(state: State, name: string, now: number): Promise<void> {
  await state.put(UPLOADS, keyOf(now, name), { name }, now);
}

/**
 * Deletes the records of uploads older than a day, and the pictures among them that nothing uses.
 * Returns how many pictures were removed. `now` in epoch milliseconds.
 */
export async function sweepUnused(
  state: State,
  now: number,
  isUsed: (name: string) => Promise<boolean>,
  remove: (name: string) => Promise<void>,
): Promise<number> {
  const end = keyOf(now - UNUSED_MS, '');
  let removed = 0;
  for await (const { key, value } of eachEntry<{ name: string }>(state, UPLOADS, '', now)) {
    if (key >= end) break;
    if (!(await isUsed(value.name))) {
      await remove(value.name);
      removed += 1;
    }
    await state.delete(UPLOADS, key);
  }
  return removed;
}
