import { z } from 'zod';

/** Why a command was refused. The HTTP status of the answer follows from it. */
export type RefusalKind = 'invalid' | 'forbidden' | 'not-found' | 'conflict';

/** The refusal of a command, in words that tell a person what to do. */
export interface Refusal {
  readonly kind: RefusalKind;
  /** Machine-readable; the client matches on it. */
  readonly code: string;
  readonly message: string;
  /** Field name on the wire → what is wrong with the field. */
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

/** The refusal for a single invalid field. */
export const invalidField = (field: string, message: string): Refusal =>
  invalid('invalid_field', `${field}: ${message}`, { [field]: message });

/**
 * The result of `decide`: new events (none means there was nothing to do), or a refusal. A refusal
 * is a value, never an exception.
 */
export type Decision<E> =
  | { readonly ok: true; readonly events: readonly E[] }
  | { readonly ok: false; readonly refusal: Refusal };

/** The pure functions of an aggregate, and the category that its streams are named by (`<category>-<id>`). */
export interface Decider<S, C, E> {
  readonly category: string;
  readonly schemaVersion: number;
  readonly initial: S;
  evolve(state: S, event: E): S;
  decide(command: C, state: S): Decision<E>;
  /**
   * Returns null for an event type of another aggregate.
   * @throws ZodError when a known type is malformed.
   */
  parse(type: string, data: unknown): E | null;
}

export const decided = <E>(...events: readonly E[]): Decision<E> => ({ ok: true, events });
export const refused = (refusal: Refusal): Decision<never> => ({ ok: false, refusal });
export const nothingToDo: Decision<never> = { ok: true, events: [] };

/** Event types to schemas. Both the event union and the parser of an aggregate are made from this list. */
export type EventSchemas = Readonly<Record<string, z.ZodObject>>;

export type EventOf<S extends EventSchemas> = {
  [T in keyof S & string]: { readonly type: T; readonly data: z.output<S[T]> };
}[keyof S & string];

/** What each schema has made of the data of events that are still in memory. */
const parsedBy = new WeakMap<z.ZodObject, WeakMap<object, unknown>>();

/**
 * Parses an event's data, once for all who look at the same event: the decider, the check of new events, and ten read
 * models. Events never change, so nobody may change the result.
 *
 * @throws ZodError
 */
function parseOnce(schema: z.ZodObject, data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return schema.parse(data);
  const known = parsedBy.get(schema) ?? new WeakMap<object, unknown>();
  parsedBy.set(schema, known);
  if (!known.has(data)) known.set(data, schema.parse(data));
  return known.get(data);
}

/**
 * The parser for stored events: unknown types give null, unknown fields are dropped, and a
 * malformed event of a known type throws. New events are checked more strictly, by `checkNew`.
 */
export function parserOf<S extends EventSchemas>(
  schemas: S,
): (type: string, data: unknown) => EventOf<S> | null {
  return (type, data) => {
    if (!Object.hasOwn(schemas, type)) return null;
    const schema = schemas[type];
    return schema ? ({ type, data: parseOnce(schema, data) } as EventOf<S>) : null;
  };
}

/** The path of the first field that the schema dropped, for example `lines[0].colour`; null when none was dropped. */
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
 * Checks an event before it is appended. Reading ignores unknown fields, so that an older program
 * can read events of a newer one. Writing refuses unknown fields at any depth.
 *
 * @throws ZodError for an invalid value; Error for an unknown type or field. Either is a bug.
 */
export function checkNew(
  schemas: EventSchemas,
  { type, data }: { readonly type: string; readonly data: unknown },
): void {
  const schema: z.ZodObject | undefined = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
  if (!schema) throw new Error(`${type} is no event of this aggregate`);
  const lost = lostField(data, parseOnce(schema, data), '');
  if (lost !== null) throw new Error(`${type} has no field ${lost}`);
}

/** Wraps `decide` so that every new event is checked: a malformed event is never appended. */
const decidingStrictly =
  <S, C, E extends { readonly type: string; readonly data: unknown }>(
    schemas: EventSchemas,
    decide: (command: C, state: S) => Decision<E>,
  ) =>
  (command: C, state: S): Decision<E> => {
    const decision = decide(command, state);
    if (decision.ok) for (const event of decision.events) checkNew(schemas, event);
    return decision;
  };

/**
 * The decider of an aggregate whose streams are named `<category>-<id>`. Its list of events checks what it decides and
 * parses what is stored.
 */
export const aggregate = <S, C, Events extends EventSchemas>(
  category: string,
  events: Events,
  {
    initial,
    evolve,
    decide,
  }: Pick<Decider<S, C, EventOf<Events>>, 'initial' | 'evolve' | 'decide'>,
): Decider<S, C, EventOf<Events>> => ({
  category,
  schemaVersion: 1,
  initial,
  evolve,
  decide: decidingStrictly(events, decide),
  parse: parserOf(events),
});

/** Schemas that several events share. */
export const id = z.string().min(1);
export const instant = z.iso.datetime();
/** Whole kobo. */
export const kobo = z.number().int().min(0);
export const quantity = z.number().int().min(1);

/** A personal value, readable only with the subject's key (AES-256-GCM, base64). The domain never decrypts it. */
export const sealed = z.object({ sealed: z.string().min(1), subject: z.string().min(1) });
export type Sealed = z.infer<typeof sealed>;
