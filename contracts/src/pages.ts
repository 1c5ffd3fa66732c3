import { toSlug } from '@oja/domain/rules';

/**
 * The URL path of every page of the web app; `:name` is one segment. The web app's routes and
 * links, the list of what each page loads, and the page titles that query-service sends are all
 * made from this map, so they cannot disagree. Must not import zod, because the browser loads it.
 */
export const pagePaths = {
  home: '/',
  search: '/search-items',
  category: '/category/:category',
  subcategory: '/category/:category/:subcategory',
  openedProduct: '/view-card',
  product: '/single-product/:subcategoryId/:productId',
  updateProduct: '/single-product/:subcategoryId/:productId/update',
  store: '/sellers-store/:name',
  cart: '/cart-contents/:mode',
  paymentForm: '/payment-form',
  paymentVerification: '/payment/verify',
  deliveryConfirmation: '/payment/verify/delivery-confirmation',
  myOrders: '/orders',
  receipt: '/orders/:transactionId',
  saved: '/saved',
  reviews: '/ratings-and-reviews',
  about: '/about',
  contact: '/contact',
  terms: '/terms-&-conditions',
  privacy: '/privacy-policy',
  login: '/login',
  register: '/register',
  upload: '/upload-product',
  dashboard: '/dashboard',
  orders: '/dashboard/orders',
  order: '/dashboard/orders/:transactionId',
  sales: '/dashboard/sales',
  notifications: '/dashboard/notifications',
  profile: '/dashboard/profile',
  password: '/dashboard/profile/password',
  adminHome: '/admin-dashboard',
  sellers: '/admin-dashboard/sellers',
  admins: '/admin-dashboard/admins',
  transaction: '/admin-dashboard/:transactionId',
} as const;

export type PageName = keyof typeof pagePaths;

/** The names of the `:name` segments in a path. */
export type ParamsIn<Path extends string> = Path extends `${string}:${infer Param}/${infer Rest}`
  ? Param | ParamsIn<Rest>
  : Path extends `${string}:${infer Param}`
    ? Param
    : never;

/** Values for the `:name` segments of a page's path, not yet encoded. */
type PageParams<Name extends PageName> = Readonly<
  Record<ParamsIn<(typeof pagePaths)[Name]>, string>
>;

/** A page whose path has `:name` segments. */
type OpenPage = {
  [Name in PageName]: (typeof pagePaths)[Name] extends `${string}:${string}` ? Name : never;
}[PageName];

/** The path of a page with its segments filled in and encoded. */
export function pagePath<Name extends OpenPage>(name: Name, params: PageParams<Name>): string {
  const values: Readonly<Record<string, string>> = params;
  return pagePaths[name].replace(/:(\w+)/g, (_, param: string) =>
    encodeURIComponent(values[param] ?? ''),
  );
}

/** The path of a product's own page, suitable for sharing. */
export function productPath(product: {
  readonly subcategory_id: number;
  readonly product_id: string;
}): string {
  return pagePath('product', {
    subcategoryId: String(product.subcategory_id),
    productId: product.product_id,
  });
}

/** The path of a store. Spaces in the name become hyphens. */
export function storePath(businessName: string): string {
  return pagePath('store', { name: toSlug(businessName) });
}

/** The path of a category or one of its subcategories. Spaces become hyphens. */
export function categoryPath(category: string, subcategory?: string): string {
  const shelf = toSlug(category);
  return subcategory === undefined
    ? pagePath('category', { category: shelf })
    : pagePath('subcategory', { category: shelf, subcategory: toSlug(subcategory) });
}
