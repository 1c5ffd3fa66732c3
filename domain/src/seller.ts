import { z } from 'zod';
import {
  conflict,
  type Decider,
  type Decision,
  decided,
  decidingStrictly,
  type EventOf,
  forbidden,
  id,
  invalidField,
  notFound,
  nothingToDo,
  parserOf,
  type Refusal,
  refused,
  type Sealed,
  sealed,
} from './decider.js';
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
  /** A claim to a name that will not be used any more: now the name may be let go. */
  BusinessNameForgone: z.object({
    sellerId: id,
    nameKey: z.string().min(1),
    /** The number of the claim in the name's stream; earlier ones go with it. */
    claim: z.int().positive(),
  }),
  ...sellerLetterEvents,
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

/** `claim`: the number of the claim by which the name is used; without one only the name they have. */
type RegisterSeller = Profile & {
  readonly type: 'RegisterSeller';
  readonly sellerId: string;
  readonly claim: number;
};
type UpdateProfile = Profile & { readonly type: 'UpdateProfile'; readonly claim?: number };
/** Gives up a claim, and those before it, unless the seller goes by that name. */
interface ForgoName {
  readonly type: 'ForgoName';
  readonly sellerId: string;
  readonly nameKey: string;
  readonly claim: number;
}
interface ToggleSuspension {
  readonly type: 'ToggleSuspension';
  /** How it shall stand afterwards; without it, the other way than now. */
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

export type SellerCommand =
  | RegisterSeller
  | UpdateProfile
  | ForgoName
  | ToggleSuspension
  | SetSubAdmin
  | SetHeadAdmin
  | SetPayoutAccount
  | SellerLetterCommand;

/** The last claim to each name that was given up: by it and those before it the name is not used again. */
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

const uses = (state: SellerState, nameKey: string): boolean =>
  state.status === 'registered' && businessNameKey(state.businessName) === nameKey;

const lastForgone = ({ forgone }: SellerState, nameKey: string): number =>
  Object.hasOwn(forgone, nameKey) ? (forgone[nameKey] ?? 0) : 0;

/** The claim was given up, or there is none: others may have the name by now. */
export const claimLost = conflict('claim_lost', 'Business name is already taken!', {
  businessName: 'Business name is already taken!',
});

/** Why a seller may not go by this name; null: they may. */
function nameRefusal(businessName: string, claim: number, state: SellerState): Refusal | null {
  // Whoever goes by a name may go on doing so, also when today's rules would not give it to anybody.
  const isTheirs = state.status === 'registered' && state.businessName === businessName;
  const problem = isTheirs ? null : businessNameProblem(businessName);
  if (problem) return invalidField('businessName', problem);
  const nameKey = businessNameKey(businessName);
  return uses(state, nameKey) || claim > lastForgone(state, nameKey) ? null : claimLost;
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
      if (command.wanted === (seller.isSuspended ? 'suspended' : 'active')) return nothingToDo;
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
    const { sellerId, businessName, name, phone } = command;
    const refusal = nameRefusal(businessName, command.claim, state);
    if (refusal) return refused(refusal);
    return decided({ type: 'SellerRegistered', data: { sellerId, businessName, name, phone } });
  }
  if (command.type === 'ForgoName') {
    const { type: _, ...data } = command;
    if (uses(state, data.nameKey) || data.claim <= lastForgone(state, data.nameKey))
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
  return 'actor' in command
    ? decideRights(command, state)
    : decideLetters(command, state.sellerId, state.letters);
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
