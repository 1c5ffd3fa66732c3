import { type Decision, decided, nothingToDo } from '../decider.js';
import { limits } from '../rules/limits.js';
import type { InboxCommand } from './commands.js';
import type { InboxEvent } from './events.js';
import type { InboxState } from './evolve.js';

export function decideInbox(command: InboxCommand, state: InboxState): Decision<InboxEvent> {
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
