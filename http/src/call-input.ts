import type { IncomingMessage } from 'node:http';
import type { Call } from '@oja/contracts';
import { z } from 'zod';
import type { Failure } from './answer.js';
import type { Context } from './types.js';

/** The parsed input of a call. `bytes` is the raw body. */
export interface CallInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly bytes: Buffer;
}

type InputResult =
  | { readonly ok: true; readonly input: CallInput }
  | { readonly ok: false; readonly failed: Failure };

const NO_BYTES = Buffer.alloc(0);
/** A call that declares no body accepts an empty body or `{}`. */
const noBody = z.strictObject({}).optional();

/** When a parameter is given twice, the last value wins. */
const queryOf = (ctx: Context): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(ctx.querystring));

/** Whether a request announces a body. */
export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

async function bodyOf(
  call: Call,
  ctx: Context,
): Promise<BodyResult<{ value: unknown; bytes: Buffer }>> {
  const read: BodyResult<Buffer> = hasBody(ctx.req)
    ? await readBytes(ctx.req)
    : { ok: true, value: NO_BYTES };
  if (!read.ok) return read;
  const bytes = read.value;
  if (call.bodyKind === 'raw') return { ok: true, value: { value: bytes, bytes } };
  const json = parseJson(bytes, ctx.req.headers['content-type']);
  return json.ok ? { ok: true, value: { value: json.value, bytes } } : json;
}

/** A missing body is parsed as `{}`, so that each missing field is named. */
const emptyIfMissing = (value: unknown): unknown => (value === undefined ? {} : value);

/** Reads and parses the whole input of a call. A failure names all invalid fields at once. */
export async function readInput(
  call: Call,
  pathParams: Readonly<Record<string, string>>,
  ctx: Context,
): Promise<InputResult> {
  const read = await bodyOf(call, ctx);
  if (!read.ok) return read;
  const { value, bytes } = read.value;
  const unparsed = { ok: true, value: undefined } as const;
  const params = call.params ? parseWith(call.params, pathParams, 'path') : unparsed;
  const query = call.query ? parseWith(call.query, queryOf(ctx), 'query') : unparsed;
  const body =
    call.bodyKind === 'raw'
      ? { ok: true as const, value }
      : call.body
        ? parseWith(call.body, emptyIfMissing(value), 'body')
        : parseWith(noBody, value, 'body');
  const errors = Object.assign({}, ...[body, query, params].map((p) => (p.ok ? {} : p.errors)));
  if (!params.ok || !query.ok || !body.ok) return { ok: false, failed: invalidFields(errors) };
  return { ok: true, input: { params: params.value, query: query.value, body: body.value, bytes } };
}

/** The largest body of any call, in bytes. */
const MAX_BODY_BYTES = 64 * 1024;
/** How many bytes of an oversized body we still read, so that the client gets to see the error. */
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024;
/** How long a client may take to send its body, in milliseconds. */
export const BODY_TIMEOUT_MS = 100_000;
const MAX_DEPTH = 32;

export type BodyResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failed: Failure };

const refused = (status: number, message: string, close = false): BodyResult<never> => ({
  ok: false,
  failed: { status, message, ...(close ? { headers: { Connection: 'close' } } : {}) },
});

const tooLong = () =>
  refused(413, `The request is too large: at most ${MAX_BODY_BYTES / 1024} KB are accepted`, true);

/**
 * Reads the whole body, at most 64 KiB. `timeoutMs` limits the total time. Fails with 400 (cut off), 408
 * (too slow), 413 (too large) or 415 (has a content encoding).
 */
export function readBytes(
  request: IncomingMessage,
  timeoutMs = BODY_TIMEOUT_MS,
): Promise<BodyResult<Buffer>> {
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    return Promise.resolve(refused(415, 'Send the body as it is, without Content-Encoding'));
  }
  if (Number(request.headers['content-length'] ?? 0) > MAX_DISCARDED_BYTES) {
    return Promise.resolve(tooLong());
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const done = (result: BodyResult<Buffer>) => {
      clearTimeout(timer);
      request.off('data', take);
      resolve(result);
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) chunks.push(chunk);
      else if (length > MAX_DISCARDED_BYTES) done(tooLong());
    };
    const timer = setTimeout(
      () => done(refused(408, 'The request took too long to arrive', true)),
      timeoutMs,
    );
    request.on('data', take);
    request.once('end', () =>
      done(
        length > MAX_BODY_BYTES ? tooLong() : { ok: true, value: Buffer.concat(chunks, length) },
      ),
    );
    request.once('error', () => done(refused(400, 'The request was cut off', true)));
    request.once('aborted', () => done(refused(400, 'The request was cut off', true)));
  });
}

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Says why a parsed value is unsafe to pass on; null when it is safe. */
function findUnsafe(value: unknown, depth = 0): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return 'The body is nested too deeply';
  for (const [key, entry] of Object.entries(value)) {
    if (FORBIDDEN_KEYS.has(key)) return `The body has a field ${key}, which is not accepted`;
    const inner = findUnsafe(entry, depth + 1);
    if (inner !== null) return inner;
  }
  return null;
}

const isJson = (contentType: string): boolean =>
  /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType.trim());

/** Parses a JSON body. An empty body gives `undefined` and needs no content type. Fails with 400 or 415. */
export function parseJson(bytes: Buffer, contentType: string | undefined): BodyResult<unknown> {
  if (bytes.length === 0) return { ok: true, value: undefined };
  if (!isJson(contentType ?? '')) {
    return refused(415, 'Send the body as JSON, with Content-Type: application/json');
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    const message = findUnsafe(value);
    return message === null ? { ok: true, value } : refused(400, message);
  } catch {
    return refused(400, 'The body is not valid JSON');
  }
}

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

/** Names the values that are accepted, but not the empty text beside them: it stands for a field that is left out. */
const listed = (values: readonly unknown[]): string =>
  values
    .filter((value) => value !== '')
    .map(String)
    .join(' or ');

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
export function invalidFields(errors: Readonly<Record<string, string>>): Failure {
  const all = Object.entries(errors).map(([field, text]) => `${field} ${text}`);
  const more = all.length > NAMED ? `; and ${all.length - NAMED} more` : '';
  return { status: 400, message: `${all.slice(0, NAMED).join('; ')}${more}`, errors };
}
