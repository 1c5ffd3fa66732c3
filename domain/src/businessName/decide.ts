import { type Decision, decided, nothingToDo, refused } from '../decider.js';
import { conflict, invalidField } from '../refusal.js';
import { businessNameKey, businessNameProblem } from '../rules/businessName.js';
import { UNUSED_CLAIM_MS } from '../rules/times.js';
import type { BusinessNameCommand } from './commands.js';
import type { BusinessNameEvent } from './events.js';
import type { BusinessNameState } from './evolve.js';

export const nameTaken = conflict('name_taken', 'Business name is already taken!', {
  businessName: 'Business name is already taken!',
});

export function decideBusinessName(
  command: BusinessNameCommand,
  state: BusinessNameState,
): Decision<BusinessNameEvent> {
  if (command.type === 'ReleaseName') {
    if (state.status === 'free' || state.sellerId !== command.sellerId) return nothingToDo;
    const { nameKey, sellerId, claimedAt } = state;
    const { claimedBefore } = command;
    if (claimedBefore !== undefined && Date.parse(claimedAt) >= Date.parse(claimedBefore))
      return nothingToDo;
    return decided({ type: 'BusinessNameReleased', data: { nameKey, sellerId } });
  }
  const problem = businessNameProblem(command.businessName);
  if (problem) return refused(invalidField('businessName', problem));
  const { nameKey, businessName, sellerId, at } = command;
  if (businessNameKey(businessName) !== nameKey)
    throw new Error(`${businessName} is claimed in the stream of another name`);
  if (state.status === 'held') {
    if (state.sellerId !== sellerId) return refused(nameTaken);
    // A registration that is tried again must not lose its name to the sweep half-way.
    if (Date.parse(at) - Date.parse(state.claimedAt) <= UNUSED_CLAIM_MS / 2) return nothingToDo;
  }
  return decided({ type: 'BusinessNameClaimed', data: { nameKey, businessName, sellerId, at } });
}
