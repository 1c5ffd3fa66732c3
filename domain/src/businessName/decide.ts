import { type Decision, decided, nothingToDo, refused } from '../decider.js';
import { conflict, invalidField } from '../refusal.js';
import { businessNameKey, businessNameProblem } from '../rules/businessName.js';
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
    const { nameKey, sellerId } = state;
    return decided({ type: 'BusinessNameReleased', data: { nameKey, sellerId } });
  }
  const problem = businessNameProblem(command.businessName);
  if (problem) return refused(invalidField('businessName', problem));
  const { nameKey, businessName, sellerId, at } = command;
  if (businessNameKey(businessName) !== nameKey)
    throw new Error(`${businessName} is claimed in the stream of another name`);
  if (state.status === 'held')
    return state.sellerId === sellerId ? nothingToDo : refused(nameTaken);
  return decided({ type: 'BusinessNameClaimed', data: { nameKey, businessName, sellerId, at } });
}
