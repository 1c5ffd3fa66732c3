import type { Logger, RecordedEvent } from '@oja/platform';
import type { Projection } from '../../src/index.js';

/** A small domain to test the runner: owners with names, and things that show their owner's name. */
type ShopEvent =
  | { readonly type: 'OwnerNamed'; readonly name: string }
  | { readonly type: 'ThingMade'; readonly owner: string }
  | { readonly type: 'ThingCounted'; readonly by: number };

type ShopCollections = {
  readonly owners: { readonly name: string };
  readonly things: { readonly owner: string; readonly ownerName: string; readonly count: number };
};

export const shop: Projection<ShopEvent, ShopCollections> = {
  name: 'shop',
  version: 1,
  scope: 'stream',
  events: ['OwnerNamed', 'ThingMade', 'ThingCounted'],
  collections: { owners: [], things: [{ kind: 'equality', fields: ['owner'] }] },
  parse(type, data) {
    if (type === 'OwnerNamed' && typeof data.name === 'string') return { type, name: data.name };
    if (type === 'ThingMade' && typeof data.owner === 'string') return { type, owner: data.owner };
    if (type === 'ThingCounted' && typeof data.by === 'number') return { type, by: data.by };
    throw new Error(`a malformed ${type}`);
  },
  reads({ event, subject }) {
    if (event.type === 'OwnerNamed') return [{ collection: 'owners', id: subject }];
    const thing = { collection: 'things', id: subject } as const;
    if (event.type === 'ThingCounted') return [thing];
    return [thing, { collection: 'owners', id: event.owner }];
  },
  project({ event, subject }, documents) {
    if (event.type === 'OwnerNamed') {
      return [{ type: 'put', collection: 'owners', id: subject, document: { name: event.name } }];
    }
    if (event.type === 'ThingMade') {
      const { owner } = event;
      const ownerName = documents.get('owners', owner)?.name ?? '';
      const document = { owner, ownerName, count: 0 };
      return [{ type: 'put', collection: 'things', id: subject, document }];
    }
    const thing = documents.get('things', subject);
    if (thing === null) throw new Error('counted before it was made');
    const document = { ...thing, count: thing.count + event.by };
    return [{ type: 'put', collection: 'things', id: subject, document }];
  },
  fanOut: {
    events: ['OwnerNamed'],
    of: ({ subject }) => ({ collection: 'things', where: { field: 'owner', value: subject } }),
    change({ subject }, _, thing, documents) {
      return { ...thing, ownerName: documents.get('owners', subject)?.name ?? '' };
    },
  },
};

export function recorded(
  stream: string,
  revision: number,
  type: string,
  data: RecordedEvent['data'],
): Omit<RecordedEvent, 'position'> {
  return {
    id: `${stream}@${revision}`,
    stream,
    revision,
    type,
    data,
    metadata: {
      actor: 'test',
      commandId: `${stream}@${revision}`,
      correlationId: 'test',
      causationId: 'test',
      time: '2026-01-01T00:00:00.000Z',
      schemaVersion: 1,
    },
  };
}

export const quiet: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  fatal: () => {},
  child: () => quiet,
};

/** The events of an owner who is given these names one after the other. */
export const owner = (id: number, names: readonly string[]) =>
  names.map((name, i) => recorded(`owner-${id}`, i, 'OwnerNamed', { name }));

/** The events of a thing of an owner, and of its counts. */
export const thing = (id: number, of: number, counts: readonly number[]) => [
  recorded(`thing-${id}`, 0, 'ThingMade', { owner: String(of) }),
  ...counts.map((by, i) => recorded(`thing-${id}`, i + 1, 'ThingCounted', { by })),
];
