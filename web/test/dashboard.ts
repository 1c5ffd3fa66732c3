import { HttpResponse, http } from 'msw';
import { beforeEach } from 'vitest';
import type { OwnProduct } from '../src/api/types.js';
import { signIn } from '../src/stores/session.js';
import { aSeller } from './sellers.js';
import { setUpSignedInPages } from './signed-in-pages.js';

export const aNotice = {
  message: 'New order for:Field watch',
  prod_id: ':p1',
  quantity: ':2',
  created_at: '2026-11-21T09:42:10.000Z',
  items: [{ product_id: 'p1', prod_name: 'Field watch', quantity: 2, image_url: null }],
};

/** The options of the button of a product that says whether it is for sale. */
export const availability = { name: /^(Una|A)vailable/ };

/** The answer to a seller's list of own products, with the counts that it has. */
export function answerOf(products: readonly OwnProduct[], nextCursor: string | null = null) {
  const available = products.filter(({ status }) => status === 'AVAILABLE').length;
  const counts = { AVAILABLE: available, UNAVAILABLE: products.length - available };
  return HttpResponse.json({ success: true, userDetails: products, counts, nextCursor });
}

/** For the tests of a file: a signed-in seller with money and a notice, and the texts of the toasts that were shown. */
export function setUpDashboard() {
  const { server, toastTexts } = setUpSignedInPages();
  beforeEach(() => {
    signIn(aSeller(), 'token');
    server.use(
      http.get('*/v1/user/earnings', () =>
        HttpResponse.json({
          success: true,
          result: { held: 148_350, payable: 15_000, paid_out: 0 },
        }),
      ),
      http.get('*/v1/notifications/unread/s7', () =>
        HttpResponse.json({ success: true, result: [aNotice], news: [], position: 'log.7' }),
      ),
      http.get('*/v1/user/payout-account', () =>
        HttpResponse.json({ success: true, account: null }),
      ),
      http.get('*/v1/settings', () => HttpResponse.json({ pushPublicKey: null })),
      http.get('*/v1/image/*', () => new HttpResponse()),
    );
  });
  const productsAre = (...products: OwnProduct[]) =>
    server.use(http.get('*/v1/user/products', () => answerOf(products)));
  return { server, toastTexts, productsAre };
}
