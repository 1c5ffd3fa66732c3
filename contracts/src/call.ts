import type { SellerState } from '@oja/domain';
import { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** The service that answers a call. */
export type Owner = 'command-service' | 'query-service';
/**
 * Who may make a call. `provider`: the sender of a body that is signed with the payment secret. `order-holder`:
 * the holder of the order key in the path. These two are checked by the handler, since no one else can.
 */
export type Access = 'anyone' | 'seller' | 'sub-admin' | 'head-admin' | 'provider' | 'order-holder';
type BodyKind = 'json' | 'raw' | 'none';

/** The declaration of a call. Defaults grant as little as possible. */
export interface CallSpec {
  readonly name: string;
  readonly method: Method;
  /** For example `/v1/products/:id`; each `:name` is one decoded segment. */
  readonly path: `/${string}`;
  readonly owner: Owner;
  readonly access: Access;
  /** Whether a suspended seller may make the call. Default: refused. */
  readonly suspended?: 'refused' | 'allowed';
  readonly params?: z.ZodType;
  /** Unknown query parameters are ignored. */
  readonly query?: z.ZodType;
  /** Use a strict object, so that an unknown field is refused by name. */
  readonly body?: z.ZodType;
  /** Default: json when there is a body schema, otherwise none. */
  readonly bodyKind?: BodyKind;
  /** Success answers by status. Every 4xx and 5xx is a `failure` and is not listed. */
  readonly answers: Readonly<Record<number, z.ZodType>>;
  /** The read models that a request with `Oja-Position` waits for. */
  readonly reads?: readonly string[];
  /** Honours `Idempotency-Key`: the command id is derived from it. Default: no. */
  readonly idempotent?: boolean;
  /** Reads or sets a cookie, so requests from a foreign origin are refused. Default: no. */
  readonly actsOnCookie?: boolean;
  /** Whether the 2xx answer of an idempotent call is stored. Set to false for answers with a secret. Default: yes. */
  readonly keepsAnswer?: boolean;
}

type Defaulted = 'suspended' | 'bodyKind' | 'reads' | 'idempotent' | 'actsOnCookie' | 'keepsAnswer';

/** A call with all defaults filled in. */
export type Call = CallSpec & Required<Pick<CallSpec, Defaulted>>;

/**
 * Fills in the defaults, and keeps the spec's literal types so that bodies and answers are inferred
 * from the schemas.
 */
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
  } satisfies Required<Pick<CallSpec, Defaulted>>;
  return { ...defaults, ...spec };
}

type Parsed<C, K extends 'params' | 'query' | 'body'> =
  C extends Readonly<Record<K, infer S extends z.ZodType>> ? z.output<S> : undefined;

/** The parsed body; undefined for a call without one. */
export type BodyOf<C> = Parsed<C, 'body'>;
export type ParamsOf<C> = Parsed<C, 'params'>;
export type QueryOf<C> = Parsed<C, 'query'>;
/** The body of the call's answer with this status. */
export type AnswerOf<
  C extends CallSpec,
  Status extends keyof C['answers'],
> = C['answers'][Status] extends infer S extends z.ZodType ? z.output<S> : never;

/** The body of every 4xx and 5xx answer. Some calls add fields of their own. */
export const failure = z.looseObject({
  success: z.literal(false),
  /** For people, in plain words. */
  message: z.string(),
  /** Field name → what is wrong with the field. */
  errors: z.record(z.string(), z.string()).optional(),
  /** For programs, when the status alone is not precise enough. */
  code: z.string().optional(),
});

/** The caller, according to the access token and the seller's own stream, never to the body. */
export interface Actor {
  readonly sellerId: string;
  readonly role: 'seller' | 'sub-admin' | 'head-admin';
  readonly suspended: boolean;
}

/** The caller and the session they are signed in with. */
export interface Person extends Actor {
  readonly session: string;
}

type Registered = Extract<SellerState, { readonly status: 'registered' }>;

function roleOf({ isHeadAdmin, isSubAdmin }: Registered): Actor['role'] {
  if (isHeadAdmin) return 'head-admin';
  return isSubAdmin ? 'sub-admin' : 'seller';
}

/** The rights of a seller, read from their own stream; null when there is no such seller. */
export function actorOf(state: SellerState): Actor | null {
  if (state.status === 'none') return null;
  return { sellerId: state.sellerId, role: roleOf(state), suspended: state.isSuspended };
}

export interface Refusal {
  readonly status: number;
  readonly message: string;
}

const rank = { seller: 0, 'sub-admin': 1, 'head-admin': 2 } as const;

/** Why the actor may not make the call; null when they may. A head admin has all rights of a sub-admin. */
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
    const left =
      access === 'seller'
        ? 'you can look but not change anything'
        : 'you are no admin until it is open again';
    return { status: 403, message: `Your account is suspended: ${left}` };
  }
  return null;
}
