import { z } from 'zod';
import { type BodyResult, parseJson, readBytes } from './body.js';
import type { CallShape } from './call.js';
import type { Failed } from './failure.js';
import type { Context } from './types.js';
import { invalid, parseWith } from './validation.js';

/** What a call was given, parsed; `bytes` is the body as it came. */
export interface CallInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly bytes: Buffer;
}

export type InputResult =
  | { readonly ok: true; readonly input: CallInput }
  | { readonly ok: false; readonly failed: Failed };

const NO_BYTES = Buffer.alloc(0);
/** A call without a body takes an empty one, or one that says nothing. */
const nothing = z.strictObject({}).optional();

/** Of a parameter that is given twice the last one counts. */
const queryOf = (ctx: Context): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(ctx.querystring));

function hasBody({ req }: Context): boolean {
  return (
    req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length']) > 0
  );
}

function multipart(ctx: Context): BodyResult<{ value: unknown; bytes: Buffer }> {
  if (ctx.is('multipart/form-data') === 'multipart/form-data') {
    return { ok: true, value: { value: ctx.req, bytes: NO_BYTES } };
  }
  const message = 'Send the body as a form, with Content-Type: multipart/form-data';
  return { ok: false, failed: { status: 415, message } };
}

async function bodyOf(
  call: CallShape,
  ctx: Context,
): Promise<BodyResult<{ value: unknown; bytes: Buffer }>> {
  if (call.bodyKind === 'multipart') return multipart(ctx);
  const read: BodyResult<Buffer> = hasBody(ctx)
    ? await readBytes(ctx.req)
    : { ok: true, value: NO_BYTES };
  if (!read.ok) return read;
  const bytes = read.value;
  if (call.bodyKind === 'raw') return { ok: true, value: { value: bytes, bytes } };
  const json = parseJson(bytes, ctx.req.headers['content-type']);
  return json.ok ? { ok: true, value: { value: json.value, bytes } } : json;
}

/** Without a body the fields that are missing are still named, one by one. */
const orEmpty = (value: unknown): unknown => (value === undefined ? {} : value);

/** Reads and parses everything a call is given; all fields that are wrong are named at once. */
export async function readInput(
  call: CallShape,
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
    call.bodyKind === 'raw' || call.bodyKind === 'multipart'
      ? { ok: true as const, value }
      : call.body
        ? parseWith(call.body, orEmpty(value), 'body')
        : parseWith(nothing, value, 'body');
  const errors = Object.assign({}, ...[body, query, params].map((p) => (p.ok ? {} : p.errors)));
  if (!params.ok || !query.ok || !body.ok) return { ok: false, failed: invalid(errors) };
  return { ok: true, input: { params: params.value, query: query.value, body: body.value, bytes } };
}
