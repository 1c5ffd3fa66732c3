import * as accounts from './accounts.js';
import * as admin from './admin.js';
import * as checkout from './checkout.js';
import * as letters from './letters.js';
import * as messages from './messages.js';
import * as products from './products.js';
import * as shopping from './shopping.js';

/**
 * Every call that exists. The services' routers, the single listener, the edge proxy, the OpenAPI
 * document and the generated test are made from this table; a call that is not here cannot be served.
 */
export const calls = {
  ...accounts,
  ...letters,
  ...products,
  ...shopping,
  ...checkout,
  ...messages,
  ...admin,
};
export type Calls = typeof calls;
export type CallName = keyof Calls;
