import { z } from 'zod';
import {
  type Decider,
  type Decision,
  decided,
  decidingStrictly,
  type EventOf,
  nothingToDo,
  parserOf,
  refused,
} from './decider.js';
import { id, type Sealed, sealed } from './fields.js';
import { conflict, forbidden, invalidField, notFound, type Refusal } from './refusal.js';
import { businessNameProblem } from './rules/business-name.js';

/** Personal name and phone are sealed under `seller:<id>`; the business name is public. */
export const sellerEvents = {
  SellerRegistered: z.object({
    sellerId: id,
    businessName: z.string().min(1),
    name: sealed,
    phone: sealed,
  }),
  SellerProfileUpdated: z.object({
    sellerId: id,
    businessName: z.string().min(1),
    name: sealed,
    phone: sealed,
  }),
  SellerSuspended: z.object({ sellerId: id, by: id }),
  SellerReinstated: z.object({ sellerId: id, by: id }),
  SubAdminGranted: z.object({ sellerId: id, by: id }),
  SubAdminRevoked: z.object({ sellerId: id, by: id }),
  HeadAdminGranted: z.object({ sellerId: id, by: id }),
  HeadAdminRevoked: z.object({ sellerId: id, by: id }),
  PayoutAccountSet: z.object({
    sellerId: id,
    accountName: sealed,
    accountNumber: sealed,
    bankCode: sealed,
  }),
};
export type SellerEvent = EventOf<typeof sellerEvents>;

/** Who asks for a change of rights: an operator at the terminal, or a signed-in person. */
export type Actor =
  | { readonly kind: 'operator' }
  | { readonly kind: 'seller'; readonly sellerId: string; readonly isHeadAdmin: boolean };

interface Profile {
  readonly businessName: string;
  readonly name: Sealed;
  readonly phone: Sealed;
}

export type RegisterSeller = Profile & {
  readonly type: 'RegisterSeller';
  readonly sellerId: string;
};
export type UpdateProfile = Profile & { readonly type: 'UpdateProfile' };
export interface ToggleSuspension {
  readonly type: 'ToggleSuspension';
  readonly actor: Actor;
}
export interface SetSubAdmin {
  readonly type: 'SetSubAdmin';
  readonly isSubAdmin: boolean;
  readonly actor: Actor;
}
export interface SetHeadAdmin {
  readonly type: 'SetHeadAdmin';
  readonly isHeadAdmin: boolean;
  readonly actor: Actor;
}
export interface SetPayoutAccount {
  readonly type: 'SetPayoutAccount';
  readonly accountName: Sealed;
  readonly accountNumber: Sealed;
  readonly bankCode: Sealed;
}

export type SellerCommand =
  | RegisterSeller
  | UpdateProfile
  | ToggleSuspension
  | SetSubAdmin
  | SetHeadAdmin
  | SetPayoutAccount;

export type SellerState =
  | { readonly status: 'none' }
  | {
      readonly status: 'registered';
      readonly sellerId: string;
      readonly businessName: string;
      readonly isHeadAdmin: boolean;
      readonly isSubAdmin: boolean;
      readonly isSuspended: boolean;
    };

const noSeller: SellerState = { status: 'none' };

function evolveSeller(state: SellerState, event: SellerEvent): SellerState {
  if (event.type === 'SellerRegistered') {
    const { sellerId, businessName } = event.data;
    const rights = { isHeadAdmin: false, isSubAdmin: false, isSuspended: false };
    return { status: 'registered', sellerId, businessName, ...rights };
  }
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'SellerProfileUpdated':
      return { ...state, businessName: event.data.businessName };
    case 'SellerSuspended':
      return { ...state, isSuspended: true };
    case 'SellerReinstated':
      return { ...state, isSuspended: false };
    case 'SubAdminGranted':
      return { ...state, isSubAdmin: true };
    case 'SubAdminRevoked':
      return { ...state, isSubAdmin: false };
    case 'HeadAdminGranted':
      return { ...state, isHeadAdmin: true };
    case 'HeadAdminRevoked':
      return { ...state, isHeadAdmin: false };
    case 'PayoutAccountSet':
      return state;
  }
}

type Registered = Extract<SellerState, { status: 'registered' }>;

const noSuchSeller = notFound('no_seller', 'There is no seller with this id');

/** Why this person may not change that seller's rights; null: they may. */
function rightsRefusal(actor: Actor, seller: Registered): Refusal | null {
  if (actor.kind === 'operator') return null;
  if (!actor.isHeadAdmin) return forbidden('not_head_admin', 'Only a head admin may do this');
  if (actor.sellerId === seller.sellerId)
    return forbidden('yourself', 'You cannot change your own rights; ask another head admin');
  if (seller.isHeadAdmin)
    return forbidden('head_admin', 'The rights of a head admin are changed by an operator only');
  return null;
}

const idOf = (actor: Actor) => (actor.kind === 'operator' ? 'operator' : actor.sellerId);

function decideRights(
  command: Extract<SellerCommand, { actor: Actor }>,
  seller: Registered,
): Decision<SellerEvent> {
  const { actor } = command;
  const refusal = rightsRefusal(actor, seller);
  if (refusal) return refused(refusal);
  const data = { sellerId: seller.sellerId, by: idOf(actor) };
  switch (command.type) {
    case 'ToggleSuspension':
      return decided({ type: seller.isSuspended ? 'SellerReinstated' : 'SellerSuspended', data });
    case 'SetSubAdmin':
      if (command.isSubAdmin === seller.isSubAdmin) return nothingToDo;
      return decided({ type: command.isSubAdmin ? 'SubAdminGranted' : 'SubAdminRevoked', data });
    case 'SetHeadAdmin':
      if (actor.kind !== 'operator')
        return refused(forbidden('operator_only', 'Head admins are made by an operator only'));
      if (command.isHeadAdmin === seller.isHeadAdmin) return nothingToDo;
      return decided({ type: command.isHeadAdmin ? 'HeadAdminGranted' : 'HeadAdminRevoked', data });
  }
}

function decideSeller(command: SellerCommand, state: SellerState): Decision<SellerEvent> {
  if (command.type === 'RegisterSeller') {
    if (state.status !== 'none')
      return refused(conflict('registered', 'This seller is registered already'));
    const problem = businessNameProblem(command.businessName);
    if (problem) return refused(invalidField('businessName', problem));
    const { sellerId, businessName, name, phone } = command;
    return decided({ type: 'SellerRegistered', data: { sellerId, businessName, name, phone } });
  }
  if (state.status === 'none') return refused(noSuchSeller);
  if (command.type === 'UpdateProfile') {
    const problem = businessNameProblem(command.businessName);
    if (problem) return refused(invalidField('businessName', problem));
    const { businessName, name, phone } = command;
    const data = { sellerId: state.sellerId, businessName, name, phone };
    return decided({ type: 'SellerProfileUpdated', data });
  }
  if (command.type === 'SetPayoutAccount') {
    const { accountName, accountNumber, bankCode } = command;
    const data = { sellerId: state.sellerId, accountName, accountNumber, bankCode };
    return decided({ type: 'PayoutAccountSet', data });
  }
  return decideRights(command, state);
}

/** A seller: who they are, what they may do. */
export const seller = {
  category: 'seller',
  schemaVersion: 1,
  initial: noSeller,
  evolve: evolveSeller,
  decide: decidingStrictly(sellerEvents, decideSeller),
  parse: parserOf(sellerEvents),
} satisfies Decider<SellerState, SellerCommand, SellerEvent>;
