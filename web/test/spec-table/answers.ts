import type { AnswerOf, CallName, Calls } from '@oja/contracts';
import { catalogue, facets, find, ownGoods, sellerOf, unlisted, watch } from './goods.js';
import { notice, ORDER_KEY, paidOrder, payout, sale, sold, transaction } from './orders.js';
import { everybody, headAdmin, ifeanyi, personOf } from './people.js';

/** A call as it reached the market. */
export interface ReceivedCall {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: Headers;
}

export type Answer<N extends CallName> = AnswerOf<Calls[N], keyof Calls[N]['answers']>;

export const settings: Answer<'getSettings'> = {
  imageUpload: { url: 'https://images.oja.test/upload', uploadPreset: 'oja' },
  pushPublicKey: 'BPublicKey',
  dropOffAddress: '',
  support: {
    email: 'help@oja.test',
    phone: '+234 803 000 1111',
    address: '4 Broad Street, Lagos Island',
  },
  demo: false,
};

const done = { success: true, message: 'Done' } as const;
const inList = (ids: string | undefined) => (ids ?? '').split(',').filter((id) => id !== '');
const byId = (id: string | undefined) =>
  [...catalogue, ...unlisted].find(({ product_id }) => product_id === id);

/** The market's successful answer to every call. */
export const answers: { readonly [N in CallName]: (asked: ReceivedCall) => Answer<N> } = {
  register: () => ({
    success: true,
    data: { name: ifeanyi.name ?? '', data: personOf('seller') },
    accessToken: 'token',
  }),
  login: () => ({ success: true, userDetails: personOf('seller'), accessToken: 'token' }),
  loginWithNewPassword: () => ({
    success: true,
    userDetails: personOf('seller'),
    accessToken: 'token',
  }),
  changePassword: () => ({ success: true, message: 'Password changed' }),
  refreshToken: () => ({ success: true, accessToken: 'fresh' }),
  logout: () => done,
  checkBusinessName: () => ({ exists: false }),
  singleUser: () => ({ success: true, result: [ifeanyi] }),
  updateProfile: () => ({ success: true, userDetails: ifeanyi }),
  getPayoutAccount: () => ({ success: true, account: null }),
  setPayoutAccount: () => ({ success: true }),
  userLetters: () => ({ success: true, email: null, on: false, asked: null }),
  askLetterAddress: () => ({ success: true, ends_at: '2026-11-21T10:30:00.000Z' }),
  confirmLetterAddress: () => ({ success: true }),
  removeLetterAddress: () => ({ success: true }),
  switchLetters: () => ({ success: true }),
  userEarnings: () => ({ success: true, result: { held: 20_000, payable: 5_000, paid_out: 0 } }),
  userOrders: () => ({
    success: true,
    result: [sale],
    total: 1,
    counts: { held: 1, disputed: 0, released: 0, 'paid-out': 0, refunded: 0 },
    to_hand_over: 1,
    nextCursor: null,
  }),
  userOrder: () => ({
    success: true,
    result: {
      ...sale,
      history: [{ type: 'PaymentVerified', at: sale.paid_at, text: 'Ordered and paid: 2 pieces' }],
    },
  }),
  userPayouts: () => ({
    success: true,
    result: [payout],
    paid_out: { month: 20_000, year: 25_000, all: 31_000 },
    nextCursor: null,
  }),
  userSales: () => ({ success: true, result: sold }),
  getAllUsers: () => ({ success: true, result: everybody, nextCursor: null }),
  toggleSuspended: () => ({ ...done, is_suspended: 1 }),
  updateSubAdmin: () => done,

  addProduct: () => ({ success: true, productId: 'p9' }),
  updateProduct: () => ({ success: true, message: 'Product updated' }),
  toggleProductStatus: () => ({
    success: true,
    message: 'Product status changed to unavailable',
  }),
  removeProduct: () => ({ success: true, message: 'Product removed' }),
  userProducts: () => ({
    success: true,
    userDetails: [...ownGoods],
    counts: { AVAILABLE: 1, UNAVAILABLE: 1 },
    nextCursor: null,
  }),
  getProduct: ({ params, headers }) => {
    const own = ownGoods.find(({ product_id }) => product_id === params.id);
    const result =
      (headers.has('Authorization') ? own : undefined) ?? byId(params.id) ?? own ?? watch;
    return { success: true, subcategoryID: result.subcategory_id, result };
  },
  productImages: () => ({ success: true, result: [{ image_urls: watch.image_urls.join(',') }] }),
  checkCartItems: () => ({ exist: false, message: 'Not in a transaction' }),

  searchProducts: ({ query }) => {
    const result = find(query);
    return {
      success: true,
      result: result.slice(0, Number(query.limit ?? 24)),
      total: result.length,
      facets,
      nextCursor: null,
    };
  },
  suggestProducts: ({ query: { query = '' } }) => ({
    success: true,
    shelves: query.startsWith('wat')
      ? [{ subcategory_name: 'Watches', top_category: 'Fashion', count: 11 }]
      : [],
    stores: [],
    did_you_mean: query === 'wacth' ? 'watch' : null,
    word_forms: query === 'fieldwatch' ? 'field watch' : null,
  }),
  allProducts: () => ({ filteredRows: [...catalogue], total: catalogue.length }),
  productsByIds: ({ query }) => ({
    success: true,
    result: inList(query.ids).flatMap((id) => byId(id) ?? []),
    gone: inList(query.ids)
      .filter((id) => byId(id) === undefined)
      .map((product_id) => ({ product_id, prod_name: 'Old lamp' })),
  }),
  getStore: ({ params }) => {
    const slug = (name: string) => name.replaceAll(' ', '-');
    const first = catalogue.find((one) => slug(one.businessName) === params.name) ?? watch;
    const { user_id, businessName } = sellerOf(first);
    const products = catalogue.filter((one) => one.user_id === user_id);
    return {
      success: true,
      store: {
        user_id,
        businessName,
        state: first.state,
        local_govt: first.local_govt,
        since: '2023-03-01T09:00:00.000Z',
        orders_confirmed: 12,
        total: products.length,
        products,
      },
    };
  },
  getSettings: () => settings,
  openApi: () => ({ openapi: '3.1.0' }),

  initializeTransaction: () => ({
    success: true,
    data: { data: { authorization_url: 'https://pay.test/checkout' } },
    transactionId: ORDER_KEY,
  }),
  verifyTransaction: () => ({ ok: true, transactionId: ORDER_KEY, status: 'success' }),
  confirmDelivery: () => ({ ok: true }),
  getOrder: () => ({ success: true, order: paidOrder }),
  sendReceipt: () => ({ success: true }),
  reportNotReceived: () => ({ success: true }),
  reportProblem: () => done,
  paystackWebhook: () => ({ success: true }),

  getComments: () => ({
    success: true,
    result: [
      {
        comment_id: 'c2',
        businessName: null,
        comment_text: 'Came in one day.',
        stars: 5,
        created_at: '2026-11-20T09:00:00.000Z',
      },
      {
        comment_id: 'c1',
        businessName: 'Coal City Footwear',
        comment_text: 'Paid out at once.',
        stars: 4,
        created_at: '2026-11-19T09:00:00.000Z',
      },
    ],
  }),
  getRatings: () => ({
    success: true,
    result: [{ bar1: null, bar2: 1, bar3: 0, bar4: 3, bar5: 7 }],
  }),
  addComment: () => ({ success: true, comment_id: 'c3' }),
  sendEmail: () => done,
  unreadNotifications: () => ({ success: true, result: [notice], news: [], position: 'log.7' }),
  clearNotifications: () => ({ success: true, message: 'Notifications cleared' }),
  checkSubscription: () => ({ exists: false }),
  addSubscription: () => ({ success: true }),
  removeSubscription: () => ({ success: true }),

  getTransactions: () => ({ ok: true, result: [transaction], nextCursor: null }),
  getTransaction: () => ({ ok: true, result: transaction }),
  removeBuyerRecord: () => done,
  resolveDispute: () => done,
  adminOverview: () => ({
    success: true,
    totalSellers: everybody.filter(({ is_admin }) => is_admin === 0).length,
    totalAdmins: [headAdmin].length,
    money: { cash: 54_050, accounts: [{ name: 'held', amount: 54_050 }], balanced: true },
    disputes: [],
    unconfirmed: [],
    waiting: { disputes: 0, unconfirmed: 0 },
  }),
  getAudit: () => ({
    success: true,
    result: [
      {
        id: 'e2',
        type: 'SellerSuspended',
        at: '2026-11-21T09:00:00.000Z',
        actor: 'operator',
        text: 'Suspended',
        act: 'suspension',
        about: 'seller',
        subject: 's1',
        seller: null,
        amount: null,
      },
      {
        id: 'e3',
        type: 'PayoutCompleted',
        at: '2026-11-21T08:00:00.000Z',
        actor: 'operator:Chidi O.',
        text: 'Recorded as paid: paid in cash',
        act: 'payout',
        about: 'transaction',
        subject: transaction.transaction_id,
        seller: 's1',
        amount: 4_348,
      },
    ],
    nextCursor: null,
  }),
  getTimeline: () => ({
    success: true,
    result: [
      {
        id: 'e1',
        type: 'OrderPlaced',
        at: '2026-11-21T09:00:00.000Z',
        actor: 'buyer',
        text: 'Order placed',
      },
    ],
  }),
};
