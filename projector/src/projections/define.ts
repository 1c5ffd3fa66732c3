import type { ReadModel } from '@oja/contracts/models';
import { type EventOf, type EventSchemas, parserOf } from '@oja/domain';
import type {
  Change,
  Collections,
  Fact,
  FanOut,
  Key,
  Loaded,
  Projection,
} from '../runner/projection.js';

interface Definition<S extends EventSchemas, C extends Collections> {
  readonly model: ReadModel<keyof C & string>;
  readonly scope: 'stream' | 'shared';
  /** The schemas of the events that the projection reads, by type. */
  readonly schemas: S;
  reads(fact: Fact<EventOf<S>>, documents: Loaded<C>): readonly Key<C>[];
  project(fact: Fact<EventOf<S>>, documents: Loaded<C>): readonly Change<C>[];
  readonly fanOut?: FanOut<EventOf<S>, C>;
}

/** Defines a projection to documents of type `C`. It parses and sees only the events in `schemas`. */
export function define<C extends Collections>() {
  return <S extends EventSchemas>({
    model,
    schemas,
    ...rest
  }: Definition<S, C>): Projection<EventOf<S>, C> => ({
    name: model.name,
    version: model.version,
    collections: model.collections,
    events: Object.keys(schemas),
    parse: parserOf(schemas),
    ...rest,
  });
}

export const put = <K extends string, D>(collection: K, id: string, document: D) =>
  ({ type: 'put', collection, id, document }) as const;

export const del = <K extends string>(collection: K, id: string) =>
  ({ type: 'delete', collection, id }) as const;

/** Of a list of events those with these names. */
export const pick = <S extends EventSchemas, T extends keyof S & string>(
  schemas: S,
  ...names: readonly T[]
): Pick<S, T> =>
  Object.fromEntries(names.map((name) => [name, schemas[name]])) as unknown as Pick<S, T>;
