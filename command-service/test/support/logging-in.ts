import type { Market, Seller } from './market.js';

/** The calls by which somebody logs in, and one that needs it. `market`: called with each. */
export const loggingIn = (market: () => Market) => ({
  login: (seller: Pick<Seller, 'businessName' | 'password'>, address = '203.0.113.1') =>
    market().call('POST', '/v1/login', {
      body: { businessName: seller.businessName, password: seller.password },
      headers: { 'X-Forwarded-For': address },
    }),
  choose: (seller: Pick<Seller, 'businessName'>, password: string, new_password: string) =>
    market().call('POST', '/v1/login/new-password', {
      body: { businessName: seller.businessName, password, new_password },
    }),
  refresh: (cookie: string) => market().call('GET', '/v1/refresh-token', { cookie }),
  /** A call that any signed-in seller may make. */
  asSeller: (token: string, sellerId: string) =>
    market().call('POST', '/subscription/check-subscription', {
      token,
      body: {
        sellerId,
        newSubscription: {
          endpoint: 'https://fcm.googleapis.com/fcm/send/x',
          keys: { p256dh: 'a', auth: 'b' },
        },
      },
    }),
});
