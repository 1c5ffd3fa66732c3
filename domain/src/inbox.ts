import { z } from 'zod';
import {
  type Decider,
  type Decision,
  decided,
  decidingStrictly,
  type EventOf,
  id,
  nothingToDo,
  parserOf,
  type Sealed,
  sealed,
} from './decider.js';
import { limits } from './rules/limits.js';

/** The push services of the browsers. Whatever else is given as an endpoint is never called. */
const pushHosts = ['fcm.googleapis.com', 'updates.push.services.mozilla.com'] as const;
const pushDomains = ['.push.apple.com', '.notify.windows.com'] as const;

/**
 * Whether a subscription's endpoint belongs to a known push service, over https on its usual port.
 * Asked when it is given and again before each push.
 */
export function isPushEndpoint(endpoint: string): boolean {
  const host = /^https:\/\/([a-z0-9.-]+)\//i.exec(endpoint)?.[1]?.toLowerCase();
  if (host === undefined) return false;
  return (
    pushHosts.some((known) => known === host) ||
    pushDomains.some((domain) => host.length > domain.length && host.endsWith(domain))
  );
}

/** What a seller does with notices; the notices themselves are made from paid orders. */
export const inboxEvents = {
  PushSubscribed: z.object({
    sellerId: id,
    /** Hash of the endpoint. */
    subscriptionId: id,
    subscription: sealed,
  }),
  PushUnsubscribed: z.object({ sellerId: id, subscriptionId: id }),
  /** Everything up to this position of the log has been seen. */
  NotificationsCleared: z.object({ sellerId: id, upTo: z.string() }),
};
export type InboxEvent = EventOf<typeof inboxEvents>;

interface SubscribePush {
  readonly type: 'SubscribePush';
  readonly sellerId: string;
  readonly subscriptionId: string;
  readonly subscription: Sealed;
}
interface UnsubscribePush {
  readonly type: 'UnsubscribePush';
  readonly sellerId: string;
  readonly subscriptionId: string;
}
/** `upTo` is a position of the log: nothing that came later is cleared. */
interface ClearNotifications {
  readonly type: 'ClearNotifications';
  readonly sellerId: string;
  readonly upTo: string;
}
export type InboxCommand = SubscribePush | UnsubscribePush | ClearNotifications;

interface InboxState {
  /** Oldest first. */
  readonly subscriptions: readonly string[];
  readonly clearedUpTo: string | null;
}
const noInbox: InboxState = { subscriptions: [], clearedUpTo: null };

function evolveInbox(state: InboxState, event: InboxEvent): InboxState {
  switch (event.type) {
    case 'PushSubscribed':
      return { ...state, subscriptions: [...state.subscriptions, event.data.subscriptionId] };
    case 'PushUnsubscribed': {
      const gone = event.data.subscriptionId;
      return { ...state, subscriptions: state.subscriptions.filter((id) => id !== gone) };
    }
    case 'NotificationsCleared':
      return { ...state, clearedUpTo: event.data.upTo };
  }
}

function decideInbox(command: InboxCommand, state: InboxState): Decision<InboxEvent> {
  const { sellerId } = command;
  switch (command.type) {
    case 'SubscribePush': {
      const { subscriptionId, subscription } = command;
      if (state.subscriptions.includes(subscriptionId)) return nothingToDo;
      // A seller with too many browsers loses the one that was not renewed for longest.
      const tooMany = state.subscriptions.length - limits.pushSubscriptions.max + 1;
      return decided<InboxEvent>(
        ...state.subscriptions.slice(0, Math.max(0, tooMany)).map(
          (oldest): InboxEvent => ({
            type: 'PushUnsubscribed',
            data: { sellerId, subscriptionId: oldest },
          }),
        ),
        { type: 'PushSubscribed', data: { sellerId, subscriptionId, subscription } },
      );
    }
    case 'UnsubscribePush': {
      const { subscriptionId } = command;
      if (!state.subscriptions.includes(subscriptionId)) return nothingToDo;
      return decided({ type: 'PushUnsubscribed', data: { sellerId, subscriptionId } });
    }
    case 'ClearNotifications': {
      const { upTo } = command;
      if (state.clearedUpTo !== null && state.clearedUpTo >= upTo) return nothingToDo;
      return decided({ type: 'NotificationsCleared', data: { sellerId, upTo } });
    }
  }
}

/** What a seller does with notices; the stream is named by the seller. */
export const inbox = {
  category: 'inbox',
  schemaVersion: 1,
  initial: noInbox,
  evolve: evolveInbox,
  decide: decidingStrictly(inboxEvents, decideInbox),
  parse: parserOf(inboxEvents),
} satisfies Decider<InboxState, InboxCommand, InboxEvent>;
