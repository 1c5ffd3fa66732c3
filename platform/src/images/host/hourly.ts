import type { State } from '../../state/port.js';

const SPACE = 'image-uploads-by-address';
const HOUR_MS = 60 * 60_000;

type Window = { readonly count: number };

/**
 * Counts an upload of an address. Answers 0 when it is within its number an hour, else how many
 * seconds to wait. `now` in epoch milliseconds.
 */
export async function countUpload(
  state: State,
  address: string,
  perHour: number,
  now: number,
): Promise<number> {
  const key = networkOf(address);
  for (;;) {
    const entry = await state.get<Window>(SPACE, key, now);
    const count = entry?.value.count ?? 0;
    const expiresAt = entry?.expiresAt ?? now + HOUR_MS;
    if (count >= perHour) return Math.max(Math.ceil((expiresAt - now) / 1000), 1);
    const condition = entry === null ? 'absent' : entry.version;
    const options = { if: condition, expiresAt } as const;
    if ((await state.put(SPACE, key, { count: count + 1 }, now, options)) !== null) return 0;
  }
}

/** One household has 2^64 addresses of IPv6, so they count as one: the first four groups. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const ending = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(8 - groups.length - ending.length, 0) }, () => '0');
  return [...groups, ...zeros, ...ending].slice(0, 4).join(':');
}
