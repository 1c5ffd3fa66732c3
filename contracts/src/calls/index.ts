import * as accounts from './accounts.js';
import * as admin from './admin.js';
import * as checkout from './checkout.js';
import * as letters from './letters.js';
import * as messages from './messages.js';
import * as products from './products.js';
import * as shopping from './shopping.js';

/**
 * Every call of the API. The services' routers, the single listener, the edge proxy's configuration, the OpenAPI
 * document and the test of every call are made from this table. A call that is not here cannot be served.
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
