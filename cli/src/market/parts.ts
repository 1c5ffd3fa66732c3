import { commandPart } from './commandPart.js';
import type { Ground, Part, ServiceName } from './part.js';
import { projectorPart } from './projectorPart.js';
import { queryPart } from './queryPart.js';

const makers: Readonly<Record<ServiceName, (ground: Ground) => Part>> = {
  projector: projectorPart,
  'command-service': commandPart,
  'query-service': queryPart,
};

/** In the order in which they are mounted and started: the pages' door takes whatever is left. */
const order: readonly ServiceName[] = ['projector', 'command-service', 'query-service'];

export const partsOf = (ground: Ground, names: readonly ServiceName[]): readonly Part[] =>
  order.filter((name) => names.includes(name)).map((name) => makers[name](ground));
