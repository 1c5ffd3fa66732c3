import { streamCategory } from '@oja/domain';
import type { Answer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import { type Output, show, table } from '../../terminal/output.js';

type Stats = Answer<'events stats'>;

const largestFirst = <T>(counts: ReadonlyMap<string, T>, size: (of: T) => number) =>
  Object.fromEntries([...counts].sort(([, a], [, b]) => size(b) - size(a)));

async function statsOf({ engines }: AppContext, signal: AbortSignal): Promise<Stats> {
  const types = new Map<string, number>();
  const categories = new Map<string, { events: number; streams: number }>();
  let [events, streams] = [0, 0];
  let first: string | null = null;
  let last: string | null = null;
  for await (const { type, stream, revision, metadata } of engines.eventStore.readAll({
    after: null,
  })) {
    signal.throwIfAborted();
    events += 1;
    // Imported and seeded events may have earlier times than the events before them in the log.
    if (first === null || metadata.time < first) first = metadata.time;
    if (last === null || metadata.time > last) last = metadata.time;
    types.set(type, (types.get(type) ?? 0) + 1);
    const of = categories.get(streamCategory(stream)) ?? { events: 0, streams: 0 };
    categories.set(streamCategory(stream), of);
    of.events += 1;
    if (revision > 0) continue;
    of.streams += 1;
    streams += 1;
  }
  return {
    events,
    streams,
    first,
    last,
    types: largestFirst(types, (count) => count),
    categories: largestFirst(categories, (of) => of.events),
  };
}

export async function stats(
  context: AppContext,
  options: Output,
  signal: AbortSignal,
): Promise<void> {
  const found = await statsOf(context, signal);
  show<'events stats'>(options, found, () => [
    `${found.events} events in ${found.streams} streams, from ${found.first ?? '-'} to ${found.last ?? '-'}`,
    '',
    ...table([
      ['category', 'streams', 'events'],
      ...Object.entries(found.categories).map(([name, of]) => [
        name,
        String(of.streams),
        String(of.events),
      ]),
    ]),
    '',
    ...table([
      ['type', 'events'],
      ...Object.entries(found.types).map(([name, count]) => [name, String(count)]),
    ]),
  ]);
}
