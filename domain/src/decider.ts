import { z } from 'zod';

/** What sort of no it is; the status of the answer follows from it. */
export type RefusalKind = 'invalid' | 'forbidden' | 'not-found' | 'conflict';

/** A command that may not happen, in words that tell a person what to do. */
export interface Refusal {
  readonly kind: RefusalKind;
  /** For a program. */
  readonly code: string;
  readonly message: string;
  /** Field → what is wrong with it, by its name on the wire. */
  readonly errors?: Readonly<Record<string, string>>;
}

const refusalOf =
  (kind: RefusalKind) =>
  (code: string, message: string, errors?: Readonly<Record<string, string>>): Refusal =>
    errors ? { kind, code, message, errors } : { kind, code, message };

export const invalid = refusalOf('invalid');
export const forbidden = refusalOf('forbidden');
export const notFound = refusalOf('not-found');
export const conflict = refusalOf('conflict');

/** One wrong field. */
export const invalidField = (field: string, message: string): Refusal =>
  invalid('invalid_field', `${field}: ${message}`, { [field]: message });

/** What `decide` answers: new events (none: nothing to do), or a refusal that is a value, not a throw. */
export type Decision<E> =
  | { readonly ok: true; readonly events: readonly E[] }
  | { readonly ok: false; readonly refusal: Refusal };

/** The three functions of an aggregate, with the name of its streams (`<category>-<id>`). */
export interface Decider<S, C, E> {
  readonly category: string;
  readonly schemaVersion: number;
  readonly initial: S;
  evolve(state: S, event: E): S;
  decide(command: C, state: S): Decision<E>;
  /** Null for a type of another aggregate. @throws ZodError when a known type is malformed. */
  parse(type: string, data: unknown): E | null;
}

export const decided = <E>(...events: readonly E[]): Decision<E> => ({ ok: true, events });
export const refused = (refusal: Refusal): Decision<never> => ({ ok: false, refusal });
export const nothingToDo: Decision<never> = { ok: true, events: [] };

/** Types to schemas: the one list from which an aggregate's event union and its parser are made. */
export type EventSchemas = Readonly<Record<string, z.ZodObject>>;

export type EventOf<S extends EventSchemas> = {
  [T in keyof S & string]: { readonly type: T; readonly data: z.output<S[T]> };
}[keyof S & string];

/**
 * The parser for reading: unknown types are null, unknown fields are left out, and a malformed known
 * type throws. What is appended is checked more strictly, by `checkNew`.
 */
export function parserOf<S extends EventSchemas>(
  schemas: S,
): (type: string, data: unknown) => EventOf<S> | null {
  return (type, data) => {
    if (!Object.hasOwn(schemas, type)) return null;
    const schema = schemas[type];
    return schema ? ({ type, data: schema.parse(data) } as EventOf<S>) : null;
  };
}

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

/** Parts that several events share. */
export const id = z.string().min(1);
export const instant = z.iso.datetime();
/** Whole kobo. */
export const kobo = z.number().int().min(0);
export const quantity = z.number().int().min(1);

/**
 * A personal value that only the holder of the subject's key can read (AES-256-GCM, base64). The
 * domain never opens one.
 */
export const sealed = z.object({ sealed: z.string().min(1), subject: z.string().min(1) });
export type Sealed = z.infer<typeof sealed>;
