import type { QueryHandlers, Tools } from '../deps.js';
import { searchProducts } from './goods/search-products.js';
import { suggestProducts } from './goods/suggest.js';
import {
  allProducts,
  checkCartItems,
  getProduct,
  getStore,
  productImages,
  productsByIds,
  userProducts,
} from './goods.js';
import {
  getAudit,
  getComments,
  getRatings,
  getSettings,
  getTimeline,
  openApi,
  unreadNotifications,
} from './market.js';
import { adminOverview, getOrder, getTransaction, getTransactions } from './orders.js';
import {
  getAllUsers,
  getPayoutAccount,
  singleUser,
  userEarnings,
  userLetters,
  userOrder,
  userOrders,
  userPayouts,
  userSales,
} from './sellers.js';

/** A handler for every call that this service owns. If one is missing, this does not compile. */
export const createHandlers = (tools: Tools): QueryHandlers => ({
  searchProducts: searchProducts(tools),
  suggestProducts: suggestProducts(tools),
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
  userLetters: userLetters(tools),
  userEarnings: userEarnings(tools),
  userOrders: userOrders(tools),
  userOrder: userOrder(tools),
  userPayouts: userPayouts(tools),
  userSales: userSales(tools),
  getTransactions: getTransactions(tools),
  getTransaction: getTransaction(tools),
  getOrder: getOrder(tools),
  adminOverview: adminOverview(tools),
  getAudit: getAudit(tools),
  getComments: getComments(tools),
  getRatings: getRatings(tools),
  unreadNotifications: unreadNotifications(tools),
  getTimeline: getTimeline(tools),
  getSettings: getSettings(tools),
  openApi: openApi(tools),
});
