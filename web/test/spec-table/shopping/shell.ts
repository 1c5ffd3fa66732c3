import { fireEvent } from '@testing-library/react';
import { vi } from 'vitest';
import { registerServiceWorker } from '../../../src/app/startup.js';
import { changeAuthStorage } from '../../../src/stores/persistent-store.js';
import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { attribute, count, press, sequence, storedValue, texts } from '../steps.js';

const home = at('/');
const SEARCH = 'I am looking for...';
const withCart = (stage: Stage) => stage.cart();
const undelivered = () => changeAuthStorage(() => ({ status: 'Pending' }));

/** Clicks a link but prevents the navigation. @returns 1 if the browser would have loaded a page */
async function loadsFully(stage: Stage, link: string): Promise<number> {
  await stage.sees(link, 'link');
  const anchor = stage.find('footer a').find((one) => one.textContent === link);
  let left = 0;
  const stay = (event: Event) => {
    left = event.defaultPrevented ? 0 : 1;
    event.preventDefault();
  };
  addEventListener('click', stay, { once: true });
  if (anchor) fireEvent.click(anchor);
  removeEventListener('click', stay);
  return left;
}

async function workerAt(): Promise<string> {
  const register = vi.fn(async () => undefined);
  vi.stubEnv('PROD', true);
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: { register } });
  registerServiceWorker();
  dispatchEvent(new Event('load'));
  return String(register.mock.calls.flat()[0]);
}
let worker = '';

const headers: readonly Row[] = [
  ...[
    '/',
    '/search-items',
    '/category/Fashion',
    '/single-product/3/p1',
    '/cart-contents/single',
  ].map((screen) => at(screen)('its header', SEARCH, 'placeholder')),
  at('/view-card', () => changeAuthStorage(() => ({ pid: 'p1' })))(
    'its header',
    SEARCH,
    'placeholder',
  ),
  ...['/', '/search-items', '/cart-contents/single'].map((screen) =>
    at(screen)('its header', 'Cart, 0 items', 'link'),
  ),
  home('with a product in the cart', 'Cart, 1 item', 'link', withCart),
  home('the cart pressed', '/cart-contents/multiple-order', 'address', press('Cart, 0 items')),
  ...[
    '/ratings-and-reviews',
    '/payment-form',
    '/payment/verify',
    '/payment/verify/delivery-confirmation',
    '/no/such/page',
  ].flatMap((screen) => [
    at(screen)('its header', SEARCH, 'absent'),
    at(screen)('its header', 1, count('header a[aria-label="Oja, home"]')),
  ]),
  ...['/about', '/contact', '/terms-&-conditions', '/privacy-policy'].map((screen) =>
    at(screen)('its header', 0, count('header')),
  ),
  at('/sellers-store/Coal-City-Footwear')('its header', 'Welcome to'),
  at('/sellers-store/Coal-City-Footwear')('its header', 'Coal City Footwear', 'heading'),
  at('/sellers-store/Coal-City-Footwear')(
    'its header',
    'What are you looking for...',
    'placeholder',
  ),
  at('/sellers-store/Coal-City-Footwear')('its header', SEARCH, 'absent'),

  home('nothing typed: its icon', 'Search', 'button'),
  home('nothing typed: its icon', 'Clear search', 'absent'),
  home('something typed: its icon', 'Clear search', 'button', (stage) =>
    stage.type('Search', 'ba'),
  ),
  home(
    'close pressed',
    '/',
    'address',
    sequence((stage) => stage.type('Search', 'ba'), press('Clear search')),
  ),
  home(
    'close pressed, the text',
    '',
    (stage) => stage.value('Search'),
    sequence((stage) => stage.type('Search', 'ba'), press('Clear search')),
  ),
  home('the first px of scroll at which the header is sticky', 80, {
    measure: async (stage) => {
      await stage.settled();
      return stage.pxUntil(() => stage.find('header[data-stuck]').length > 0, 60);
    },
  }),
  home(
    'sticky, the top margin of the page',
    '64px',
    (stage) => stage.find('header + div')[0]?.style.marginTop,
    async (stage) => {
      vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(64);
      await stage.settled();
      await stage.scroll(80);
    },
  ),
  home(
    'not sticky, the top margin of the page',
    '0px',
    (stage) => stage.find('header + div')[0]?.style.marginTop,
    (stage) => stage.scroll(79),
  ),
  home('a delivery is pending', 'Confirm your delivery', 'link', undelivered),
  home(
    'the bell pressed',
    '/payment/verify/delivery-confirmation',
    'address',
    sequence(undelivered, (stage) => stage.paid(), press('Confirm your delivery')),
  ),
  home('no delivery is pending', 'Confirm your delivery', 'absent'),
];

const FOOT = 'About, Terms and Conditions, Privacy Policy, Cookie Policy, Contact Us, FAQ';

const footer: readonly Row[] = [
  ...['/', '/about', '/contact'].map((screen) =>
    at(screen)('its footer', FOOT, texts('footer li')),
  ),
  ...[
    '/search-items',
    '/cart-contents/single',
    '/login',
    '/terms-&-conditions',
    '/payment-form',
  ].map((screen) => at(screen)('its footer', 0, count('footer'))),
  home('About pressed', '/about', 'address', press('About')),
  home(
    'Terms and Conditions pressed',
    '/terms-&-conditions',
    'address',
    press('Terms and Conditions'),
  ),
  home('Privacy Policy pressed', '/privacy-policy', 'address', press('Privacy Policy')),
  home('Contact Us leads to', '/contact', attribute('footer a[href="/contact"]', 'href')),
  home('Contact Us pressed: full page loads', 1, {
    measure: (stage) => loadsFully(stage, 'Contact Us'),
  }),
  ...[
    'Electronics',
    'Fashion',
    'Beauty and Skincare',
    'Phones and Laptop',
    'My orders',
    'Saved',
    'Ratings and reviews',
    'About',
    'Contact Us',
    'Sell on Oja',
    'Log in',
  ].map((name) =>
    home(
      `the menu of phones: ${name}`,
      true,
      (stage) =>
        stage.find('.OptionsMenu-menu a').some((link) => link.textContent?.trim() === name),
      press('Menu'),
    ),
  ),
  home('Saved pressed', '/saved', 'address', press('Saved')),
  at('/saved')('nothing saved', 'Nothing is saved here yet', 'heading'),
  home('About pressed: full page loads', 0, { measure: (stage) => loadsFully(stage, 'About') }),
  home(
    'Cookie Policy, its links',
    0,
    (stage) => stage.find('footer a').filter((one) => one.textContent === 'Cookie Policy').length,
    (stage) => stage.sees('Cookie Policy'),
  ),
  home(
    'FAQ, its links',
    0,
    (stage) => stage.find('footer a').filter((one) => one.textContent === 'FAQ').length,
    (stage) => stage.sees('FAQ'),
  ),
];

/** The header and footer around the pages, and what is kept between pages. */
export const shell: readonly Row[] = [
  ...headers,
  ...footer,
  at('/no/such/page')('nothing is there', 'Unexpected Application Error!', 'heading'),
  at('/category/Fashion/Bags/more')('nothing is there', 'Unexpected Application Error!', 'heading'),
  at('/no/such/page')('the way home pressed', '/', 'address', press('Go to the market')),
  at('/login')(
    'at start-up, the service worker',
    '/service-worker.js',
    () => worker,
    async () => {
      worker = await workerAt();
    },
  ),
  home(
    'what is kept in the browser',
    'deliveryFee,itemsAddedToCart,pid,showButton,singleProductId,status,user',
    (stage) =>
      Object.keys(Object(Reflect.get(Object(stage.kept('auth-storage')), 'state')))
        .sort()
        .join(),
    withCart,
  ),
  home('the status at first', 'AVAILABLE', storedValue('status'), withCart),
  home(
    'the added flag of a product in the cart',
    '{"p1":true}',
    storedValue('showButton'),
    withCart,
  ),
  home(
    'toasts stand at the top',
    'top',
    attribute('[data-sonner-toaster]', 'data-y-position'),
    (stage) => stage.told(),
  ),
  home(
    'toasts stand at the centre',
    'center',
    attribute('[data-sonner-toaster]', 'data-x-position'),
    (stage) => stage.told(),
  ),
];
