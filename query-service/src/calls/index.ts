import { allProducts } from './goods/all-products.js';
import { checkCartItems } from './goods/check-cart-items.js';
import { getProduct } from './goods/get-product.js';
import { getStore } from './goods/get-store.js';
import { productImages } from './goods/product-images.js';
import { productsByIds } from './goods/products-by-ids.js';
import { searchProducts } from './goods/search-products.js';
import { userProducts } from './goods/user-products.js';
import type { QueryHandlers, Tools } from './handler.js';
import { getSettings } from './market/get-settings.js';
import { getTimeline } from './market/get-timeline.js';
import { openApi } from './market/open-api.js';
import { adminOverview } from './orders/admin-overview.js';
import { getOrder } from './orders/get-order.js';
import { getTransaction } from './orders/get-transaction.js';
import { getTransactions } from './orders/get-transactions.js';
import { getAllUsers } from './sellers/get-all-users.js';
import { getPayoutAccount } from './sellers/get-payout-account.js';
import { singleUser } from './sellers/single-user.js';
import { userEarnings } from './sellers/user-earnings.js';
import { getComments } from './talking/get-comments.js';
import { getRatings } from './talking/get-ratings.js';
import { unreadNotifications } from './talking/unread-notifications.js';

export type { QueryCall, QueryHandlers, Tools } from './handler.js';

/** A handler for every call of the table that this service owns; a missing one does not compile. */
export const createHandlers = (tools: Tools): QueryHandlers => ({
  searchProducts: searchProducts(tools),
  allProducts: allProducts(tools),
  productsByIds: productsByIds(tools),
  getProduct: getProduct(tools),
  productImages: productImages(tools),
  checkCartItems: checkCartItems(tools),
  userProducts: userProducts(tools),
  getStore: getStore(tools),
  singleUser: singleUser(tools),
  getAllUsers: getAllUsers(tools),
  getPayoutAccount: getPayoutAccount(tools),
  userEarnings: userEarnings(tools),
  getTransactions: getTransactions(tools),
  getTransaction: getTransaction(tools),
  getOrder: getOrder(tools),
  adminOverview: adminOverview(tools),
  getComments: getComments(tools),
  getRatings: getRatings(tools),
  unreadNotifications: unreadNotifications(tools),
  getTimeline: getTimeline(tools),
  getSettings: getSettings(tools),
  openApi: openApi(tools),
});
