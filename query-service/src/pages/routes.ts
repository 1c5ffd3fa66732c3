import { type PageName, pagePaths } from '@oja/contracts/pages';
import {
  categoryPage,
  homePage,
  type Page,
  plainPage,
  productPage,
  storePage,
} from './page-heads.js';

const hidden = { hidden: true };

/** What the server says of each page of the web app; any other address is a 404. */
const heads: Readonly<Record<PageName, Page>> = {
  home: homePage,
  search: plainPage('Search'),
  category: (tools, category = '') => categoryPage(tools, category),
  subcategory: (tools, category = '', subcategory = '') =>
    categoryPage(tools, category, subcategory),
  openedProduct: plainPage('Product', hidden),
  product: (tools, _subcategory, id = '') => productPage(tools, id),
  updateProduct: plainPage('Edit details', hidden),
  store: (tools, name = '') => storePage(tools, name),
  cart: plainPage('Cart', hidden),
  paymentForm: plainPage('Checkout', hidden),
  paymentVerification: plainPage('Payment Verification', hidden),
  deliveryConfirmation: plainPage('Delivery', hidden),
  myOrders: plainPage('My orders', hidden),
  receipt: plainPage('Receipt', hidden),
  saved: plainPage('Saved', hidden),
  reviews: plainPage('Ratings and reviews'),
  about: plainPage('About Us'),
  contact: plainPage('Contact Us'),
  terms: plainPage('Terms and Conditions'),
  privacy: plainPage('Privacy Policy'),
  login: plainPage('Log in'),
  register: plainPage('Sign up'),
  upload: plainPage('Upload', hidden),
  dashboard: plainPage('All Products', hidden),
  orders: plainPage('Orders', hidden),
  order: plainPage('Order', hidden),
  sales: plainPage('Sales', hidden),
  notifications: plainPage('Notifications', hidden),
  profile: plainPage('Profile', hidden),
  password: plainPage('Change password', hidden),
  adminHome: plainPage('Admin', hidden),
  sellers: plainPage('Admin', hidden),
  admins: plainPage('Admin', hidden),
  transaction: plainPage('Admin', hidden),
};

/** The app without a page in it: what the service worker starts from at addresses it has never seen. */
const SHELL = { name: 'shell', path: '/shell.html', page: plainPage('Market', hidden) } as const;

const isPageName = (name: string): name is PageName => name in heads;
const routes = Object.keys(heads)
  .filter(isPageName)
  .map((name) => ({ name, path: pagePaths[name], page: heads[name] }));

const split = (path: string): readonly string[] => path.split('/').slice(1);
const parsed = [...routes, SHELL].map((route) => ({ ...route, segments: split(route.path) }));

function decoded(path: string): readonly string[] | null {
  try {
    return split(path.replace(/(?<=.)\/$/, '')).map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** As the web app's own router reads an address: whatever the case, with or without a slash at the end. */
function fits(own: readonly string[], asked: readonly string[]): boolean {
  return (
    own.length === asked.length &&
    own.every((segment, at) => {
      const other = asked[at] ?? '';
      return segment.startsWith(':') ? other !== '' : segment === other.toLowerCase();
    })
  );
}

interface FoundPage {
  readonly page: Page;
  readonly name: PageName | 'shell';
  /** The pattern of its address. */
  readonly path: string;
  readonly params: readonly string[];
  /** Its address names a payment or an order: no other page is told where the shopper came from. */
  readonly hidesReferrer: boolean;
}

/** The page of an undecoded path, with what its open segments hold; null: there is none. */
export function pageAt(path: string): FoundPage | null {
  const asked = decoded(path);
  const found = asked && parsed.find(({ segments }) => fits(segments, asked));
  if (!asked || !found) return null;
  const params = asked.filter((_, at) => found.segments[at]?.startsWith(':'));
  const hidesReferrer = found.path.startsWith('/payment');
  return { page: found.page, name: found.name, path: found.path, params, hidesReferrer };
}
