import { z } from 'zod';
import {
  aggregate,
  type Decision,
  decided,
  type EventOf,
  id,
  nothingToDo,
  type Sealed,
  sealed,
} from './decider.js';
import { limits } from './rules/limits.js';

/**
 * The browsers' push services. No other endpoint is ever called. Chromium as Linux distributions build it, without
 * Google's name, has the second.
 */
const pushHosts = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  'updates.push.services.mozilla.com',
] as const;
const pushDomains = ['.push.apple.com', '.notify.windows.com'] as const;

/**
 * Whether a subscription's endpoint belongs to a known push service, over https on the default
 * port. Checked when the seller subscribes and again before each push.
 */
export function isPushEndpoint(endpoint: string): boolean {
  const host = /^https:\/\/([a-z0-9.-]+)\//i.exec(endpoint)?.[1]?.toLowerCase();
  if (host === undefined) return false;
  return (
    pushHosts.some((known) => known === host) ||
    pushDomains.some((domain) => host.length > domain.length && host.endsWith(domain))
  );
}

/**
 * What a seller does with their notices. The notices themselves are projected from other events,
 * such as paid orders.
 */
export const inboxEvents = {
  PushSubscribed: z.object({
    sellerId: id,
    /** SHA-256 of the endpoint. */
    subscriptionId: id,
    subscription: sealed,
  }),
  PushUnsubscribed: z.object({ sellerId: id, subscriptionId: id }),
  /** The seller has seen all notices up to this log position. */
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
/** No device is sent anything until it subscribes again. */
interface UnsubscribeAllPushes {
  readonly type: 'UnsubscribeAllPushes';
  readonly sellerId: string;
}
/** Notices after the log position `upTo` are not cleared. */
interface ClearNotifications {
  readonly type: 'ClearNotifications';
  readonly sellerId: string;
  readonly upTo: string;
}
export type InboxCommand =
  | SubscribePush
  | UnsubscribePush
  | UnsubscribeAllPushes
  | ClearNotifications;

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

const unsubscribed = (sellerId: string, subscriptionIds: readonly string[]) =>
  subscriptionIds.map(
    (subscriptionId) => ({ type: 'PushUnsubscribed', data: { sellerId, subscriptionId } }) as const,
  );

function decideInbox(command: InboxCommand, state: InboxState): Decision<InboxEvent> {
  const { sellerId } = command;
  switch (command.type) {
    case 'SubscribePush': {
      const { subscriptionId, subscription } = command;
      if (state.subscriptions.includes(subscriptionId)) return nothingToDo;
      // At the limit, the oldest subscription is dropped to make room.
      const tooMany = state.subscriptions.length - limits.pushSubscriptions.max + 1;
      return decided<InboxEvent>(
        ...unsubscribed(sellerId, state.subscriptions.slice(0, Math.max(0, tooMany))),
        { type: 'PushSubscribed', data: { sellerId, subscriptionId, subscription } },
      );
    }
    case 'UnsubscribePush': {
      const { subscriptionId } = command;
      if (!state.subscriptions.includes(subscriptionId)) return nothingToDo;
      return decided({ type: 'PushUnsubscribed', data: { sellerId, subscriptionId } });
    }
    case 'UnsubscribeAllPushes':
      return decided<InboxEvent>(...unsubscribed(sellerId, state.subscriptions));
    case 'ClearNotifications': {
      const { upTo } = command;
      if (state.clearedUpTo !== null && state.clearedUpTo >= upTo) return nothingToDo;
      return decided({ type: 'NotificationsCleared', data: { sellerId, upTo } });
    }
  }
}

/** What a seller does with their notices. The stream id is the seller's id. */
export const inbox = aggregate('inbox', inboxEvents, {
  initial: noInbox,
  evolve: evolveInbox,
  decide: decideInbox,
});
