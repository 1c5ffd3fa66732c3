import type { ClientSession, Collection, Db } from 'mongodb';
import type { Index } from '../port.js';
import { shapeOf } from '../shape.js';
import type { Known } from './entry.js';

/** The names of the port's collections have no dot. */
const specsName = 'market.collections';

export interface SpecRow {
  readonly _id: string;
  readonly indexes: readonly Index[];
  /** One more with every index that was added. */
  readonly version: number;
}

/** What every collection declares, where all processes find it. */
export interface Specs {
  readonly rows: Collection<SpecRow>;
  /** As somebody has published it by now; null: nobody has, or it was dropped. */
  read(name: string): Promise<Known | null>;
  /** Of several; without those that are not there. */
  readMany(names: readonly string[], session: ClientSession): Promise<ReadonlyMap<string, Known>>;
  /** As it was when it was read last; may be old. */
  remembered(name: string): Known | null;
}

export function createSpecs(db: Db): Specs {
  const rows = db.collection<SpecRow>(specsName);
  const memory = new Map<string, Known>();

  function knownOf({ _id: name, indexes, version }: SpecRow): Known {
    const old = memory.get(name);
    if (old?.version === version) return old;
    const known = { shape: shapeOf({ name, indexes }), version };
    memory.set(name, known);
    return known;
  }

  return {
    rows,
    async read(name) {
      const row = await rows.findOne({ _id: name });
      if (row) return knownOf(row);
      memory.delete(name);
      return null;
    },
    async readMany(names, session) {
      const found = await rows.find({ _id: { $in: [...names] } }, { session }).toArray();
      return new Map(found.map((row) => [row._id, knownOf(row)]));
    },
    remembered: (name) => memory.get(name) ?? null,
  };
}
