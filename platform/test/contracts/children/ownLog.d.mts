import type { EventStore, Position } from '@oja/platform';

export interface Part {
  readonly prefix: string;
  readonly after: Position | null;
}

export function ownLog(store: EventStore, part: Part): EventStore;
