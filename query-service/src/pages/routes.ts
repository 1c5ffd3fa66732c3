import { homePage } from './home-page.js';
import type { Page } from './page.js';
import { categoryPage, plainPage } from './plain-pages.js';
import { productPage } from './product-page.js';
import { storePage } from './store-page.js';

const hidden = { hidden: true };

/** Every address of the web app; any other is a 404. A segment with a colon is open. */
const routes: readonly (readonly [string, Page])[] = [
  ['/', homePage],
  ['/search-items', plainPage('Search')],
  ['/category/:category', (tools, category = '') => categoryPage(tools, category)],
  [
    '/category/:category/:subcategory',
    (tools, category = '', subcategory = '') => categoryPage(tools, category, subcategory),
  ],
  ['/view-card', plainPage('Product', hidden)],
  ['/single-product/:subcategory/:id', (tools, _subcategory, id = '') => productPage(tools, id)],
  ['/single-product/:subcategory/:id/update', plainPage('Edit details', hidden)],
  ['/sellers-store/:name', (tools, name = '') => storePage(tools, name)],
  ['/cart-contents/:mode', plainPage('Cart', hidden)],
  ['/payment-form', plainPage('Checkout', hidden)],
  ['/payment/verify', plainPage('Payment Verification', hidden)],
  ['/payment/verify/delivery-confirmation', plainPage('Delivery', hidden)],
  ['/ratings-and-reviews', plainPage('Ratings and reviews')],
  ['/about', plainPage('About Us')],
  ['/contact', plainPage('Contact Us')],
  ['/terms-&-conditions', plainPage('Terms and Conditions')],
  ['/privacy-policy', plainPage('Privacy Policy')],
  ['/login', plainPage('Log in')],
  ['/register', plainPage('Sign up')],
  ['/upload-product', plainPage('Upload', hidden)],
  ['/dashboard', plainPage('All Products', hidden)],
  ['/dashboard/notifications', plainPage('Notifications', hidden)],
  ['/dashboard/profile', plainPage('Profile', hidden)],
  ['/admin-dashboard', plainPage('Admin', hidden)],
  ['/admin-dashboard/:part', plainPage('Admin', hidden)],
  // The app without a page in it: what the service worker starts from at addresses it has never seen.
  ['/shell.html', plainPage('Market', hidden)],
];

const split = (path: string): readonly string[] => path.split('/').slice(1);
const parsed = routes.map(([route, page]) => ({ route, segments: split(route), page }));

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

export interface FoundPage {
  readonly page: Page;
  /** As the table has it, with its open segments. */
  readonly route: string;
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
  const hidesReferrer = found.route.startsWith('/payment');
  return { page: found.page, route: found.route, params, hidesReferrer };
}
