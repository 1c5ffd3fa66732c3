import { z } from 'zod';
import {
  aggregate,
  conflict,
  type Decision,
  decided,
  type EventOf,
  id,
  instant,
  invalidField,
  nothingToDo,
  refused,
} from './decider.js';
import { businessNameKey } from './rules/business-name.js';
import { businessNameProblem } from './rules/new-business-name.js';

/** Events of the reservation that makes a name unique: the name is free, or one seller holds it. */
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

/** Claims a name, or renews the holder's claim. Every claim gets its own number. `at` is ISO 8601 in UTC. */
interface ClaimName {
  readonly type: 'ClaimName';
  readonly nameKey: string;
  readonly businessName: string;
  readonly sellerId: string;
  readonly at: string;
}
/** Releases a name if this seller holds it. */
interface ReleaseName {
  readonly type: 'ReleaseName';
  readonly sellerId: string;
  /** Release only if this is still the number of the last claim. Without it, any claim is released. */
  readonly claim?: number | undefined;
}
export type BusinessNameCommand = ClaimName | ReleaseName;

/**
 * `claims` counts all claims so far. It is also the number of the last claim, which the holder must
 * present to use the name.
 */
export type BusinessNameState =
  | { readonly status: 'free'; readonly claims: number }
  | {
      readonly status: 'held';
      readonly nameKey: string;
      readonly businessName: string;
      readonly sellerId: string;
      readonly claimedAt: string;
      readonly claims: number;
    };

const noBusinessName: BusinessNameState = { status: 'free', claims: 0 };

function evolveBusinessName(state: BusinessNameState, event: BusinessNameEvent): BusinessNameState {
  switch (event.type) {
    case 'BusinessNameClaimed': {
      const { nameKey, businessName, sellerId, at } = event.data;
      const claims = state.claims + 1;
      return { status: 'held', nameKey, businessName, sellerId, claimedAt: at, claims };
    }
    case 'BusinessNameReleased':
      return state.status === 'held' && state.sellerId === event.data.sellerId
        ? { status: 'free', claims: state.claims }
        : state;
  }
}

const nameTaken = conflict('name_taken', 'Business name is already taken!', {
  businessName: 'Business name is already taken!',
});

function decideBusinessName(
  command: BusinessNameCommand,
  state: BusinessNameState,
): Decision<BusinessNameEvent> {
  if (command.type === 'ReleaseName') {
    if (state.status === 'free' || state.sellerId !== command.sellerId) return nothingToDo;
    const { nameKey, sellerId, claims } = state;
    if (command.claim !== undefined && command.claim !== claims) return nothingToDo;
    return decided({ type: 'BusinessNameReleased', data: { nameKey, sellerId } });
  }
  const { nameKey, businessName, sellerId, at } = command;
  // The holder may keep a name even when today's rules would refuse it as a new name.
  const isTheirs =
    state.status === 'held' && state.sellerId === sellerId && state.businessName === businessName;
  const problem = isTheirs ? null : businessNameProblem(businessName);
  if (problem) return refused(invalidField('businessName', problem));
  if (businessNameKey(businessName) !== nameKey)
    throw new Error(`${businessName} is claimed in the stream of another name`);
  if (state.status === 'held' && state.sellerId !== sellerId) return refused(nameTaken);
  return decided({ type: 'BusinessNameClaimed', data: { nameKey, businessName, sellerId, at } });
}

/** The reservation of a business name. The stream id is the SHA-256 of the folded name. */
export const businessName = aggregate('businessName', businessNameEvents, {
  initial: noBusinessName,
  evolve: evolveBusinessName,
  decide: decideBusinessName,
});
