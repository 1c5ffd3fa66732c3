import { type Decision, decided, nothingToDo, refused } from '../decider.js';
import { conflict, forbidden, invalidField, notFound, type Refusal } from '../refusal.js';
import { businessNameProblem } from '../rules/businessName.js';
import type { Actor, SellerCommand } from './commands.js';
import type { SellerEvent } from './events.js';
import type { SellerState } from './evolve.js';

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

export function decideSeller(command: SellerCommand, state: SellerState): Decision<SellerEvent> {
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
