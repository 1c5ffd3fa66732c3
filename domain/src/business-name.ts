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
import { id, instant } from './fields.js';
import { conflict, invalidField } from './refusal.js';
import { businessNameKey, businessNameProblem } from './rules/business-name.js';
import { UNUSED_CLAIM_MS } from './rules/times.js';

/** The reservation that makes a name unique: free, or held by one seller. */
export const businessNameEvents = {
  BusinessNameClaimed: z.object({
    nameKey: z.string().min(1),
    businessName: z.string().min(1),
    sellerId: id,
    at: instant,
  }),
  BusinessNameReleased: z.object({ nameKey: z.string().min(1), sellerId: id }),
};
export type BusinessNameEvent = EventOf<typeof businessNameEvents>;

/** `at` is ISO 8601 in UTC. */
export interface ClaimName {
  readonly type: 'ClaimName';
  readonly nameKey: string;
  readonly businessName: string;
  readonly sellerId: string;
  readonly at: string;
}
/** Lets go of a name, if it is this seller's. */
export interface ReleaseName {
  readonly type: 'ReleaseName';
  readonly sellerId: string;
  /** A claim made or renewed at this instant or later is kept; left out: any is let go. */
  readonly claimedBefore?: string | undefined;
}
export type BusinessNameCommand = ClaimName | ReleaseName;

export type BusinessNameState =
  | { readonly status: 'free' }
  | {
      readonly status: 'held';
      readonly nameKey: string;
      readonly businessName: string;
      readonly sellerId: string;
      readonly claimedAt: string;
    };

const noBusinessName: BusinessNameState = { status: 'free' };

function evolveBusinessName(state: BusinessNameState, event: BusinessNameEvent): BusinessNameState {
  switch (event.type) {
    case 'BusinessNameClaimed': {
      const { nameKey, businessName, sellerId, at } = event.data;
      return { status: 'held', nameKey, businessName, sellerId, claimedAt: at };
    }
    case 'BusinessNameReleased':
      return state.status === 'held' && state.sellerId === event.data.sellerId
        ? noBusinessName
        : state;
  }
}

export const nameTaken = conflict('name_taken', 'Business name is already taken!', {
  businessName: 'Business name is already taken!',
});

function decideBusinessName(
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

/** The reservation of a business name; the stream is named by the hash of its key. */
export const businessName = {
  category: 'businessName',
  schemaVersion: 1,
  initial: noBusinessName,
  evolve: evolveBusinessName,
  decide: decidingStrictly(businessNameEvents, decideBusinessName),
  parse: parserOf(businessNameEvents),
} satisfies Decider<BusinessNameState, BusinessNameCommand, BusinessNameEvent>;
