import type { SellerState } from '@oja/domain';
import type { Call } from './call.js';

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
