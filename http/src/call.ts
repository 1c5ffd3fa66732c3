import type { Readable } from 'node:stream';
import type { Access, BodyOf, Call, ParamsOf, QueryOf } from '@oja/contracts';
import type { Position } from '@oja/platform';
import type { z } from 'zod';
import type { Cookie, Failed } from './answer.js';

type Body<C> = C extends { readonly bodyKind: 'raw' }
  ? Buffer
  : C extends { readonly bodyKind: 'multipart' }
    ? Readable
    : BodyOf<C>;

/** Calls that need nobody to be signed in. */
type Open = Extract<Access, 'anyone' | 'provider' | 'order-holder'>;
type Caller<C extends Call, A> = C['access'] extends Open ? A | null : A;

/** A request that may be worked on: parsed, admitted, and identified. */
export interface CallRequest<C extends Call, A> {
  readonly params: ParamsOf<C>;
  readonly query: QueryOf<C>;
  readonly body: Body<C>;
  readonly actor: Caller<C, A>;
  /** Why a token that was sent to an open call names nobody (expired, malformed); else null. */
  readonly notRecognised: Failed | null;
  /** The same for every repetition with the same Idempotency-Key. */
  readonly commandId: string;
  readonly correlationId: string;
  /** Whole; for counting use its block. */
  readonly clientAddress: string;
  /** Aborts when the client goes before it has its answer: what is only for them need not go on. */
  readonly left: AbortSignal;
  /** The position the client sent along, if it is one of this log. */
  readonly position: Position | null;
  cookie(name: string): string | undefined;
  header(name: string): string | undefined;
}

type Extras = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly Cookie[];
  /** Of the last event written: goes to the client as Oja-Position. */
  readonly position?: Position | null;
};

/** One of the answers the call declares. */
type Declared<C extends Call> = {
  [S in keyof C['answers']]: C['answers'][S] extends infer Z extends z.ZodType
    ? Extras & { readonly status: S; readonly body: z.input<Z> }
    : never;
}[keyof C['answers']];

/** A declared answer, or why not. */
export type CallAnswer<C extends Call> = Declared<C> | (Extras & { readonly failed: Failed });

export type CallHandler<C extends Call, A> = (
  request: CallRequest<C, A>,
) => CallAnswer<C> | Promise<CallAnswer<C>>;

/** One handler for every call, by its name: a missing one does not compile. */
export type CallHandlers<C extends Call, A> = {
  readonly [Name in C['name']]: CallHandler<Extract<C, { readonly name: Name }>, A>;
};

/** Says why not, for a handler to return. */
export const refuse = (
  status: number,
  message: string,
  more: Omit<Failed, 'status' | 'message'> = {},
): { readonly failed: Failed } => ({ failed: { status, message, ...more } });
