import type { InboxEvent } from './events.js';

export interface InboxState {
  /** Oldest first. */
  readonly subscriptions: readonly string[];
  readonly clearedUpTo: string | null;
}
export const noInbox: InboxState = { subscriptions: [], clearedUpTo: null };

export function evolveInbox(state: InboxState, event: InboxEvent): InboxState {
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
