import type { Sealed } from '../sealed.js';

export interface SubscribePush {
  readonly type: 'SubscribePush';
  readonly sellerId: string;
  readonly subscriptionId: string;
  readonly subscription: Sealed;
}
export interface UnsubscribePush {
  readonly type: 'UnsubscribePush';
  readonly sellerId: string;
  readonly subscriptionId: string;
}
/** `upTo` is a position of the log: nothing that came later is cleared. */
export interface ClearNotifications {
  readonly type: 'ClearNotifications';
  readonly sellerId: string;
  readonly upTo: string;
}
export type InboxCommand = SubscribePush | UnsubscribePush | ClearNotifications;
