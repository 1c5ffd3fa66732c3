import type { Deps, Handlers } from '../deps.js';
import { clearNotifications } from './clearNotifications.js';
import { addSubscription, checkSubscription, removeSubscription } from './subscriptions.js';

export const noticeHandlers = (deps: Deps) =>
  ({
    clearNotifications: clearNotifications(deps),
    checkSubscription: checkSubscription(deps),
    addSubscription: addSubscription(deps),
    removeSubscription: removeSubscription(deps),
  }) satisfies Partial<Handlers>;
