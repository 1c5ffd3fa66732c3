import type { z } from 'zod';
import type { Failure } from './answer.js';

type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> };

type Issue = Parameters<NonNullable<z.core.ParseContext<z.core.$ZodIssue>['error']>>[0];

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address',
  url: 'must be a web address',
  datetime: 'must be a time like 2026-01-31T12:00:00Z',
};

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

const listed = (values: readonly unknown[]): string => values.map(String).join(' or ');

function sizeText(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): string {
  const [bound, word] =
    issue.code === 'too_small' ? [issue.minimum, 'least'] : [issue.maximum, 'most'];
  const unit = UNITS[issue.origin];
  if (issue.code === 'too_small' && bound === 1 && unit !== undefined) return 'must not be empty';
  return unit === undefined
    ? `must be at ${word} ${bound}`
    : `must have at ${word} ${bound}${bound === 1 ? unit.replace(/ies$/, 'y').replace(/s$/, '') : unit}`;
}

/** The values that the branches of a union accept, if all branches are literals. */
function unionText(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const inner = issue.errors.flat();
  const values = inner.flatMap((error) => (error.code === 'invalid_value' ? error.values : []));
  return values.length === inner.length && values.length > 0
    ? `must be ${listed(values)}`
    : 'is not one of the forms that are accepted';
}

/** A message that follows the field's name in a sentence. A schema's own message takes precedence. */
function textOf(issue: Issue): string {
  if (issue.input === undefined && issue.code !== 'custom') return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? `a ${issue.expected}`}`;
    case 'too_small':
    case 'too_big':
      return sizeText(issue);
    case 'invalid_value':
      return `must be ${listed(issue.values)}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'is not written as it should be';
    case 'invalid_union':
      return unionText(issue);
    default:
      return 'is not valid';
  }
}

/** Field names come from the client: long ones are cut. */
const MAX_NAME = 80;
const nameOf = (path: readonly PropertyKey[], whole: string): string =>
  path.length === 0 ? whole : path.map(String).join('.').slice(0, MAX_NAME);

/** Parses a value. `errors`: each invalid field with its first problem. `whole`: a name for the value itself. */
export function parseWith<S extends z.ZodType>(
  schema: S,
  value: unknown,
  whole: string,
): Parsed<z.output<S>> {
  const parsed = schema.safeParse(value, { error: textOf });
  if (parsed.success) return { ok: true, value: parsed.data };
  const errors = new Map<string, string>();
  const put = (name: string, text: string) => errors.has(name) || errors.set(name, text);
  for (const issue of parsed.error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys)
        put(nameOf([...issue.path, key], whole), 'is not a known field');
    } else {
      put(nameOf(issue.path, whole), issue.message);
    }
  }
  return { ok: false, errors: Object.fromEntries(errors) };
}

/** How many fields the message names; `errors` has them all. */
const NAMED = 3;

/** A 400 with all invalid fields in `errors`, and the first three of them in the message. */
export function invalid(errors: Readonly<Record<string, string>>): Failure {
  const all = Object.entries(errors).map(([field, text]) => `${field} ${text}`);
  const more = all.length > NAMED ? `; and ${all.length - NAMED} more` : '';
  return { status: 400, message: `${all.slice(0, NAMED).join('; ')}${more}`, errors };
}
