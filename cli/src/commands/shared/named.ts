import { streamCategory, streamNames } from '@oja/domain';
import type { EventStore } from '@oja/platform';
import { type Projection, projections } from '@oja/projector';
import type { AppContext } from '../../runtime/context.js';
import { usageExit } from '../../terminal/exit.js';
import { nearestHint, unknownName } from '../../terminal/usage.js';

/** @throws Exit 2 naming the nearest projection when there is none of this name. */
export function projectionNamed(name: string): Projection {
  const found = projections.find((projection) => projection.name === name);
  if (found) return found;
  const names = projections.map((projection) => projection.name);
  throw unknownName('projection', name, names);
}

/** The named projections in the given order, each once; all when no name is given. */
export function projectionsNamed(names: readonly string[]): readonly Projection[] {
  return names.length === 0 ? projections : [...new Set(names)].map(projectionNamed);
}

/** The kinds of streams that a bare id may belong to. */
const { product, transaction, seller, review, contact, inbox } = streamNames;
const namesOf = [product, transaction, seller, review, contact, inbox];

export async function hasStream(
  eventStore: Pick<EventStore, 'readStream'>,
  stream: string,
): Promise<boolean> {
  for await (const _ of eventStore.readStream(stream)) return true;
  return false;
}

/** The stream of this name, or with this id. @throws Exit 2 naming the nearest stream when there is none. */
export async function existingStream({ engines }: AppContext, text: string): Promise<string> {
  const { eventStore } = engines;
  for (const name of [text, ...namesOf.map((nameOf) => nameOf(text))])
    if (await hasStream(eventStore, name)) return name;
  const names = new Set<string>();
  for await (const { stream } of eventStore.readAll({ after: null })) names.add(stream);
  const alike = [...names].filter((name) => streamCategory(name) === streamCategory(text));
  const hint = nearestHint(text, alike.length > 0 ? alike : names);
  throw usageExit(`There is no stream '${text}'${hint}.`);
}
