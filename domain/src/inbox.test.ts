import { describe, expect, it } from 'vitest';
import { given } from '../test/given.js';
import { inbox, isPushEndpoint } from './inbox.js';
import { limits } from './rules/limits.js';

const subscribe = (subscriptionId: string) =>
  ({
    type: 'SubscribePush',
    sellerId: 'ada',
    subscriptionId,
    subscription: { sealed: 'x', subject: 'seller:ada' },
  }) as const;
const unsubscribe = { type: 'UnsubscribePush', sellerId: 'ada', subscriptionId: 'phone' } as const;
const clear = (upTo: string) => ({ type: 'ClearNotifications', sellerId: 'ada', upTo }) as const;

describe('an inbox', () => {
  it('knows a browser once', () => {
    given(inbox).when(subscribe('phone')).thenHappens('PushSubscribed');
    given(inbox, subscribe('phone')).when(subscribe('phone')).thenNothing();
    given(inbox, subscribe('phone')).when(unsubscribe).thenHappens('PushUnsubscribed');
    given(inbox).when(unsubscribe).thenNothing();
  });

  it('forgets every browser at once', () => {
    const all = { type: 'UnsubscribeAllPushes', sellerId: 'ada' } as const;
    given(inbox).when(all).thenNothing();
    const both = [subscribe('phone'), subscribe('tablet')];
    given(inbox, ...both)
      .when(all)
      .thenHappens(
        { type: 'PushUnsubscribed', data: { subscriptionId: 'phone' } },
        { type: 'PushUnsubscribed', data: { subscriptionId: 'tablet' } },
      );
    expect(given(inbox, ...both, all).state.subscriptions).toEqual([]);
  });

  it('drops the oldest of too many browsers', () => {
    const many = Array.from({ length: limits.pushSubscriptions.max }, (_, n) => subscribe(`b${n}`));
    given(inbox, ...many)
      .when(subscribe('new'))
      .thenHappens({ type: 'PushUnsubscribed', data: { subscriptionId: 'b0' } }, 'PushSubscribed');
    expect(given(inbox, ...many, subscribe('new')).state.subscriptions).toHaveLength(many.length);
  });

  it('is cleared up to a place, never back', () => {
    given(inbox).when(clear('a.0002')).thenHappens('NotificationsCleared');
    given(inbox, clear('a.0002')).when(clear('a.0001')).thenNothing();
    given(inbox, clear('a.0002')).when(clear('a.0003')).thenHappens('NotificationsCleared');
  });
});

it.each([
  'https://fcm.googleapis.com/fcm/send/abc:def',
  'https://jmt17.google.com/fcm/send/abc:def',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://web.push.apple.com/abc',
  'https://wns2-par02p.notify.windows.com/w/?token=abc',
])('%s belongs to a push service', (endpoint) => expect(isPushEndpoint(endpoint)).toBe(true));

it.each([
  'http://fcm.googleapis.com/fcm/send/abc',
  'https://fcm.googleapis.com.example.com/',
  'https://fcm.googleapis.com@example.com/',
  'https://fcm.googleapis.com:8443/',
  'https://example.com/fcm.googleapis.com/',
  'https://.push.apple.com/',
  'https://evilpush.apple.com.example.com/',
  'https://127.0.0.1/',
])('%s does not', (endpoint) => expect(isPushEndpoint(endpoint)).toBe(false));
