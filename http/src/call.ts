import type { Access, BodyOf, Call, ParamsOf, QueryOf } from '@oja/contracts';
import type { Position } from '@oja/platform';
import type { z } from 'zod';
import type { Cookie, Failure } from './answer.js';

type Body<C> = C extends { readonly bodyKind: 'raw' } ? Buffer : BodyOf<C>;

/** Access kinds that do not require a signed-in person. */
type Open = Extract<Access, 'anyone' | 'provider' | 'order-holder'>;
type Caller<C extends Call, A> = C['access'] extends Open ? A | null : A;

/** A request as a handler gets it: authenticated, authorised and parsed. */
export interface CallRequest<C extends Call, A> {
  readonly params: ParamsOf<C>;
  readonly query: QueryOf<C>;
  readonly body: Body<C>;
  readonly actor: Caller<C, A>;
  /** Why a token sent to an open call was not accepted (expired, malformed); null when there is no such problem. */
  readonly tokenFailure: Failure | null;
  /** The same for every repetition of the request with the same Idempotency-Key. */
  readonly commandId: string;
  readonly correlationId: string;
  /** The full address. Rate limits count by its block (see `addressBlock`). */
  readonly clientAddress: string;
  /** Aborts when the client disconnects before it has the answer. Work done only for the client can stop then. */
  readonly disconnected: AbortSignal;
  /** The position that the client sent, if it belongs to this log. */
  readonly position: Position | null;
  cookie(name: string): string | undefined;
  header(name: string): string | undefined;
}

type Extras = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly Cookie[];
  /** Position of the last event written; sent to the client as Oja-Position. */
  readonly position?: Position | null;
};

/** One of the answers that the call's row declares. */
type Declared<C extends Call> = {
  [S in keyof C['answers']]: C['answers'][S] extends infer Z extends z.ZodType
    ? Extras & { readonly status: S; readonly body: z.input<Z> }
    : never;
}[keyof C['answers']];

/** A declared answer, or a failure. */
export type CallAnswer<C extends Call> = Declared<C> | (Extras & { readonly failed: Failure });

export type CallHandler<C extends Call, A> = (
  request: CallRequest<C, A>,
) => CallAnswer<C> | Promise<CallAnswer<C>>;

/** One handler per call, by name. A missing handler is a compile error. */
export type CallHandlers<C extends Call, A> = {
  readonly [Name in C['name']]: CallHandler<Extract<C, { readonly name: Name }>, A>;
};

/** Builds a failure for a handler to return. */
export const refuse = (
  status: number,
  message: string,
  more: Omit<Failure, 'status' | 'message'> = {},
): { readonly failed: Failure } => ({ failed: { status, message, ...more } });

/** The same answer for a missing resource and for another person's. */
export const notYours = () => refuse(404, 'There is nothing here for you');
