import type { SellerState } from '@oja/domain';
import { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** Which service answers. */
export type Owner = 'command-service' | 'query-service';
/**
 * Who may call. `provider`: whoever signs the raw body with the payment secret; `order-holder`:
 * whoever holds the order's secret in the path. Both are checked by the handler, which alone can.
 */
export type Access = 'anyone' | 'seller' | 'sub-admin' | 'head-admin' | 'provider' | 'order-holder';
export type BodyKind = 'json' | 'multipart' | 'raw' | 'none';

/** What a call says of itself; what is left out gets the default that lets least happen. */
export interface CallSpec {
  readonly name: string;
  readonly method: Method;
  /** `/v1/products/:id`: each `:name` is one decoded segment. */
  readonly path: `/${string}`;
  readonly owner: Owner;
  readonly access: Access;
  /** Whether a suspended seller may make it. Default: refused. */
  readonly suspended?: 'refused' | 'allowed';
  readonly params?: z.ZodType;
  /** Unknown parameters are ignored. */
  readonly query?: z.ZodType;
  /** A strict object, so that an unknown field is refused by name. */
  readonly body?: z.ZodType;
  /** Default: json where there is a body schema, else none. */
  readonly bodyKind?: BodyKind;
  /** By status; every 4xx and 5xx is a `failure` and is not listed. */
  readonly answers: Readonly<Record<number, z.ZodType>>;
  /** The projections that a read with `Oja-Position` waits for. */
  readonly reads?: readonly string[];
  /** Honours `Idempotency-Key`: the command id is made from it. Default: no. */
  readonly idempotent?: boolean;
  /** Reads or sets a cookie, so a foreign origin is refused. Default: no. */
  readonly actsOnCookie?: boolean;
  /** Whether an idempotent call's 2xx answer is stored; never where it holds a secret. Default: yes. */
  readonly keepsAnswer?: boolean;
  /** Left out of the OpenAPI document. */
  readonly hidden?: boolean;
}

type Defaulted =
  | 'suspended'
  | 'bodyKind'
  | 'reads'
  | 'idempotent'
  | 'actsOnCookie'
  | 'keepsAnswer'
  | 'hidden';

/** A call with every question answered. */
export type Call = CallSpec & Required<Pick<CallSpec, Defaulted>>;

/** Keeps the spec's own types, so that bodies and answers are inferred from the schemas. */
export function defineCall<const S extends CallSpec>(
  spec: S,
): S & Required<Pick<CallSpec, Defaulted>> {
  const defaults = {
    suspended: 'refused',
    bodyKind: spec.body === undefined ? 'none' : 'json',
    reads: [],
    idempotent: false,
    actsOnCookie: false,
    keepsAnswer: true,
    hidden: false,
  } satisfies Required<Pick<CallSpec, Defaulted>>;
  return { ...defaults, ...spec };
}

type Parsed<C, K extends 'params' | 'query' | 'body'> =
  C extends Readonly<Record<K, infer S extends z.ZodType>> ? z.output<S> : undefined;

/** The parsed body; undefined for a call that has none. */
export type BodyOf<C> = Parsed<C, 'body'>;
export type ParamsOf<C> = Parsed<C, 'params'>;
export type QueryOf<C> = Parsed<C, 'query'>;
/** The body that a call answers with this status. */
export type AnswerOf<
  C extends CallSpec,
  Status extends keyof C['answers'],
> = C['answers'][Status] extends infer S extends z.ZodType ? z.output<S> : never;

/** What every call answers with a 4xx or 5xx; some add fields of their own. */
export const failure = z.looseObject({
  success: z.literal(false),
  /** For a person, in plain words. */
  message: z.string(),
  /** Field → what is wrong with it. */
  errors: z.record(z.string(), z.string()).optional(),
  /** For a program, where the status does not say enough. */
  code: z.string().optional(),
});

/** Who makes a call, as the access token and the seller's own stream say; never the body. */
export interface Actor {
  readonly sellerId: string;
  readonly role: 'seller' | 'sub-admin' | 'head-admin';
  readonly suspended: boolean;
}

/** With the login they came by. */
export interface Person extends Actor {
  readonly session: string;
}

type Registered = Extract<SellerState, { readonly status: 'registered' }>;

function roleOf({ isHeadAdmin, isSubAdmin }: Registered): Actor['role'] {
  if (isHeadAdmin) return 'head-admin';
  return isSubAdmin ? 'sub-admin' : 'seller';
}

/** What a seller may do, as their own stream tells it; null: there is no such seller. */
export function actorOf(state: SellerState): Actor | null {
  if (state.status === 'none') return null;
  return { sellerId: state.sellerId, role: roleOf(state), suspended: state.isSuspended };
}

export interface Refusal {
  readonly status: number;
  readonly message: string;
}

const rank = { seller: 0, 'sub-admin': 1, 'head-admin': 2 } as const;

/** Why this actor may not make the call; null: they may. A head admin may do what a sub-admin may. */
export function refusalOf(
  call: Pick<Call, 'access' | 'suspended'>,
  actor: Actor | null,
): Refusal | null {
  const { access } = call;
  if (access === 'anyone' || access === 'provider' || access === 'order-holder') return null;
  if (actor === null) return { status: 401, message: 'Please log in' };
  if (rank[actor.role] < rank[access]) {
    return { status: 403, message: 'Your account is not allowed to do this' };
  }
  if (actor.suspended && call.suspended === 'refused') {
    return {
      status: 403,
      message: 'Your account is suspended: you can look but not change anything',
    };
  }
  return null;
}
