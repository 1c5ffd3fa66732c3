import { z } from 'zod';
import {
  aggregate,
  conflict,
  type Decision,
  decided,
  type EventOf,
  forbidden,
  id,
  invalidField,
  notFound,
  nothingToDo,
  type Refusal,
  refused,
  type Sealed,
  sealed,
} from './decider.js';
import { OPERATOR } from './names.js';
import { businessNameKey } from './rules/business-name.js';
import { businessNameProblem } from './rules/new-business-name.js';
import {
  decideLetters,
  evolveLetters,
  isLetterEvent,
  noLetters,
  type SellerLetterCommand,
  type SellerLetters,
  sellerLetterEvents,
} from './seller-letters.js';

/**
 * Personal values (name, phone, bank account, e-mail) are sealed under `seller:<id>`. The business name is public.
 */
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
  /** The seller chose another password. The password itself is in no event, not even as a hash. */
  SellerPasswordChanged: z.object({ sellerId: id }),
  /** An operator gave the seller a one-time password. */
  SellerPasswordReset: z.object({ sellerId: id, by: id }),
  /** The seller gives up a claim to a name and will never use it. Only then may the name be released. */
  BusinessNameForgone: z.object({
    sellerId: id,
    nameKey: z.string().min(1),
    /** The number of the claim in the name's stream. All earlier claims are given up with it. */
    claim: z.int().positive(),
  }),
  ...sellerLetterEvents,
};
export type SellerEvent = EventOf<typeof sellerEvents>;

/** Who requests a change of rights: an operator at the terminal, or a signed-in person. */
export type Actor =
  | { readonly kind: 'operator' }
  | { readonly kind: 'seller'; readonly sellerId: string; readonly isHeadAdmin: boolean };

interface Profile {
  readonly businessName: string;
  readonly name: Sealed;
  readonly phone: Sealed;
}

/**
 * `claim`: the number of the claim that permits the name. `UpdateProfile` may omit it when the
 * seller keeps their current name.
 */
type RegisterSeller = Profile & {
  readonly type: 'RegisterSeller';
  readonly sellerId: string;
  readonly claim: number;
};
type UpdateProfile = Profile & { readonly type: 'UpdateProfile'; readonly claim?: number };
/** Gives up a claim and all earlier ones, unless the seller uses that name now. */
interface ForgoName {
  readonly type: 'ForgoName';
  readonly sellerId: string;
  readonly nameKey: string;
  readonly claim: number;
}
interface ToggleSuspension {
  readonly type: 'ToggleSuspension';
  /** The state to reach. Without it, the current state is toggled. */
  readonly wanted?: 'suspended' | 'active' | undefined;
  readonly actor: Actor;
}
interface SetSubAdmin {
  readonly type: 'SetSubAdmin';
  readonly isSubAdmin: boolean;
  readonly actor: Actor;
}
interface SetHeadAdmin {
  readonly type: 'SetHeadAdmin';
  readonly isHeadAdmin: boolean;
  readonly actor: Actor;
}
interface SetPayoutAccount {
  readonly type: 'SetPayoutAccount';
  readonly accountName: Sealed;
  readonly accountNumber: Sealed;
  readonly bankCode: Sealed;
}
/** Records what has happened to the password, which is kept apart from the log. */
interface RecordPassword {
  readonly type: 'RecordPassword';
  readonly what: 'changed' | 'reset';
}

export type SellerCommand =
  | RegisterSeller
  | UpdateProfile
  | ForgoName
  | ToggleSuspension
  | SetSubAdmin
  | SetHeadAdmin
  | SetPayoutAccount
  | RecordPassword
  | SellerLetterCommand;

/** Name key → number of the last claim that was given up. That claim and earlier ones no longer permit the name. */
type Forgone = Readonly<Record<string, number>>;

export type SellerState =
  | { readonly status: 'none'; readonly forgone: Forgone }
  | {
      readonly status: 'registered';
      readonly sellerId: string;
      readonly businessName: string;
      readonly isHeadAdmin: boolean;
      readonly isSubAdmin: boolean;
      readonly isSuspended: boolean;
      readonly letters: SellerLetters;
      readonly forgone: Forgone;
    };

const noSeller: SellerState = { status: 'none', forgone: {} };

function evolveSeller(state: SellerState, event: SellerEvent): SellerState {
  if (event.type === 'SellerRegistered') {
    const { sellerId, businessName } = event.data;
    const rights = { isHeadAdmin: false, isSubAdmin: false, isSuspended: false };
    const { forgone } = state;
    return {
      status: 'registered',
      sellerId,
      businessName,
      ...rights,
      letters: noLetters,
      forgone,
    };
  }
  if (event.type === 'BusinessNameForgone') {
    const { nameKey, claim } = event.data;
    return { ...state, forgone: { ...state.forgone, [nameKey]: claim } };
  }
  if (state.status === 'none') return state;
  if (isLetterEvent(event)) return { ...state, letters: evolveLetters(state.letters, event) };
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
    case 'SellerPasswordChanged':
    case 'SellerPasswordReset':
      return state;
  }
}

type Registered = Extract<SellerState, { status: 'registered' }>;

const noSuchSeller = notFound('no_seller', 'There is no seller with this id');

const isSuspended = conflict(
  'suspended',
  'This seller is suspended: a head admin has to reinstate them first',
);

/** Why the actor may not change the seller's rights; null when they may. */
function rightsRefusal(actor: Actor, seller: Registered): Refusal | null {
  if (actor.kind === 'operator') return null;
  if (!actor.isHeadAdmin) return forbidden('not_head_admin', 'Only a head admin may do this');
  if (actor.sellerId === seller.sellerId)
    return forbidden('yourself', 'You cannot change your own rights; ask another head admin');
  if (seller.isHeadAdmin)
    return forbidden('head_admin', 'The rights of a head admin are changed by an operator only');
  return null;
}

/** Whether the seller trades under the name with this key. */
export const usesName = (state: SellerState, nameKey: string): boolean =>
  state.status === 'registered' && businessNameKey(state.businessName) === nameKey;

const lastForgone = ({ forgone }: SellerState, nameKey: string): number =>
  Object.hasOwn(forgone, nameKey) ? (forgone[nameKey] ?? 0) : 0;

/** The claim was given up or never made, so another seller may hold the name by now. */
export const claimLost = conflict('claim_lost', 'Business name is already taken!', {
  businessName: 'Business name is already taken!',
});

/** Why the seller may not use this name; null when they may. */
function nameRefusal(businessName: string, claim: number, state: SellerState): Refusal | null {
  // A seller may keep their current name even when today's rules would refuse it as a new name.
  const isTheirs = state.status === 'registered' && state.businessName === businessName;
  const problem = isTheirs ? null : businessNameProblem(businessName);
  if (problem) return invalidField('businessName', problem);
  const nameKey = businessNameKey(businessName);
  return usesName(state, nameKey) || claim > lastForgone(state, nameKey) ? null : claimLost;
}

const idOf = (actor: Actor) => (actor.kind === 'operator' ? OPERATOR : actor.sellerId);

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
      if (command.wanted === (seller.isSuspended ? 'suspended' : 'active')) return nothingToDo;
      return decided({ type: seller.isSuspended ? 'SellerReinstated' : 'SellerSuspended', data });
    case 'SetSubAdmin':
      if (command.isSubAdmin === seller.isSubAdmin) return nothingToDo;
      return decided({ type: command.isSubAdmin ? 'SubAdminGranted' : 'SubAdminRevoked', data });
    case 'SetHeadAdmin':
      if (actor.kind !== 'operator')
        return refused(forbidden('operator_only', 'Head admins are made by an operator only'));
      if (command.isHeadAdmin === seller.isHeadAdmin) return nothingToDo;
      // Only an operator changes the rights of a head admin, and none can end a suspension.
      if (command.isHeadAdmin && seller.isSuspended) return refused(isSuspended);
      return decided({ type: command.isHeadAdmin ? 'HeadAdminGranted' : 'HeadAdminRevoked', data });
  }
}

function decideSeller(command: SellerCommand, state: SellerState): Decision<SellerEvent> {
  if (command.type === 'RegisterSeller') {
    if (state.status !== 'none')
      return refused(conflict('registered', 'This seller is registered already'));
    const { sellerId, businessName, name, phone } = command;
    const refusal = nameRefusal(businessName, command.claim, state);
    if (refusal) return refused(refusal);
    return decided({ type: 'SellerRegistered', data: { sellerId, businessName, name, phone } });
  }
  if (command.type === 'ForgoName') {
    const { type: _, ...data } = command;
    if (usesName(state, data.nameKey) || data.claim <= lastForgone(state, data.nameKey))
      return nothingToDo;
    return decided({ type: 'BusinessNameForgone', data });
  }
  if (state.status === 'none') return refused(noSuchSeller);
  if (command.type === 'UpdateProfile') {
    const { businessName, name, phone, claim = 0 } = command;
    const refusal = nameRefusal(businessName, claim, state);
    if (refusal) return refused(refusal);
    const data = { sellerId: state.sellerId, businessName, name, phone };
    return decided({ type: 'SellerProfileUpdated', data });
  }
  if (command.type === 'SetPayoutAccount') {
    const { accountName, accountNumber, bankCode } = command;
    const data = { sellerId: state.sellerId, accountName, accountNumber, bankCode };
    return decided({ type: 'PayoutAccountSet', data });
  }
  if (command.type === 'RecordPassword') {
    const { sellerId } = state;
    return command.what === 'changed'
      ? decided({ type: 'SellerPasswordChanged', data: { sellerId } })
      : decided({ type: 'SellerPasswordReset', data: { sellerId, by: OPERATOR } });
  }
  return 'actor' in command
    ? decideRights(command, state)
    : decideLetters(command, state.sellerId, state.letters);
}

/** A seller: their profile, their rights, and their letters. */
export const seller = aggregate('seller', sellerEvents, {
  initial: noSeller,
  evolve: evolveSeller,
  decide: decideSeller,
});
