import type { z } from 'zod';
import type { Decision, EventSchemas } from './decider.js';

/** Where the schema's reading of a value lost a field, or null: `lines[0].colour`. */
function lostField(written: unknown, read: unknown, path: string): string | null {
  if (typeof written !== 'object' || written === null) return null;
  const known = new Map(typeof read === 'object' && read !== null ? Object.entries(read) : []);
  for (const [key, value] of Object.entries(written)) {
    if (value === undefined) continue;
    const here = Array.isArray(written) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const lost = known.has(key) ? lostField(value, known.get(key), here) : here;
    if (lost !== null) return lost;
  }
  return null;
}

/**
 * Checks what is about to be appended. Reading forgives unknown fields, so that an older program can
 * read what a newer one wrote; writing forgives nothing, at any depth.
 *
 * @throws ZodError for a wrong value; Error for an unknown type or field. Either is a bug.
 */
export function checkNew(
  schemas: EventSchemas,
  { type, data }: { readonly type: string; readonly data: unknown },
): void {
  const schema: z.ZodObject | undefined = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
  if (!schema) throw new Error(`${type} is no event of this aggregate`);
  const lost = lostField(data, schema.parse(data), '');
  if (lost !== null) throw new Error(`${type} has no field ${lost}`);
}

/** The decider's `decide`, with every event it decides on checked: nothing malformed is ever appended. */
export const decidingStrictly =
  <S, C, E extends { readonly type: string; readonly data: unknown }>(
    schemas: EventSchemas,
    decide: (command: C, state: S) => Decision<E>,
  ) =>
  (command: C, state: S): Decision<E> => {
    const decision = decide(command, state);
    if (decision.ok) for (const event of decision.events) checkNew(schemas, event);
    return decision;
  };
