import type { RecordedEvent } from '@oja/platform';
import type { Ground } from '../../market/part.js';
import { type Output, say, sayJson } from '../../terminal/output.js';
import { lineOf } from './lines.js';

export interface TailOptions extends Output {
  readonly lines: number;
  readonly follow?: boolean;
}

export const tell = (event: RecordedEvent, { json }: Output): void =>
  json ? sayJson(event) : say(lineOf(event));

/** The last events of the log, and with `follow` those that come. */
export async function tail(
  { engines }: Ground,
  options: TailOptions,
  signal: AbortSignal,
): Promise<void> {
  const { eventStore } = engines;
  // At least one, to know where those that come begin.
  const last = await eventStore.readLast(Math.max(1, options.lines));
  const end = last.at(-1)?.position ?? null;
  for (const event of options.lines === 0 ? [] : last) tell(event, options);
  if (!options.follow) return;
  for await (const item of eventStore.subscribe({ after: end, signal }))
    if (item.kind === 'event') tell(item.event, options);
}
