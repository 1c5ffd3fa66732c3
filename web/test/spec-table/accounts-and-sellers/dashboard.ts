import { ownShoe } from '../goods.js';
import { at, type Read, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { asSeller, callCount, count, failure, press } from '../steps.js';

const page = at('/dashboard', asSeller);

const payable = (stage: Stage) =>
  stage.answers('GET /v1/user/earnings', 200, {
    success: true,
    result: { held: 0, payable: 20_000, paid_out: 0 },
  });

const counted = (stock: number) => (stage: Stage) =>
  stage.answers('GET /v1/user/products', 200, {
    success: true,
    userDetails: [{ ...ownShoe, stock }],
    counts: { AVAILABLE: 1, UNAVAILABLE: 0 },
    nextCursor: null,
  });

const toggle = async (stage: Stage, name: 'Available' | 'Unavailable') => {
  await stage.sees(name, 'button');
  await stage.settled();
  stage.holds('GET /v1/user/products');
  await stage.press(name);
};
const remove = press('Remove', 'Remove');
const several = press('Choose several', 'Choose all 2 shown');

export const dashboard: readonly Row[] = [
  page('its title', 'All Products', 'heading'),
  page('a card', 'Canvas sneakers', 'heading'),
  page('a card', 'Remove', 'button'),
  page('a card of what is available', 'Available', 'button'),
  page('a card of what is not', 'Unavailable', 'button'),
  page('a card of which the last was sold', 'Sold out', 'text', counted(0)),
  page('a card of which some are left', '3 left', 'text', counted(3)),
  page('a card of which nobody counts', /^Sold out$|left$/, 'absent'),
  page('cards in the style of what is not', 1, count('article.OwnGoods-unavailable')),
  page('a card: the way to its form', '/single-product/5/p4/update', 'address', press(/^Edit/)),
  page('looked for', 'No product matches', 'heading', async (stage) => {
    await stage.settled();
    stage.answers('GET /v1/user/products', 200, {
      success: true,
      userDetails: [],
      counts: { AVAILABLE: 1, UNAVAILABLE: 1 },
      nextCursor: null,
    });
    await stage.type('Find in my products', 'lamp');
  }),
  ...['/dashboard', '/dashboard/orders'].flatMap((screen) => {
    const list = screen === '/dashboard' ? 'GET /v1/user/products' : 'GET /v1/user/orders';
    const found: Read = (stage) => stage.callsTo(list)[0]?.query.find ?? 'nothing';
    return [
      at(`${screen}?find=%E2%80%8Elamp%E2%80%8E`, asSeller)(
        'looked for with marks that nobody sees',
        'lamp',
        found,
        (stage) => stage.settled(),
      ),
      at(`${screen}?find=${'long'.repeat(40)}`, asSeller)(
        'an address looks for more than a name can be',
        'long'.repeat(30),
        found,
        (stage) => stage.settled(),
      ),
      at(`${screen}?find=%20%20`, asSeller)('looked for blanks', 'nothing', found, (stage) =>
        stage.settled(),
      ),
    ];
  }),
  page('several chosen', '2 chosen', 'text', several),
  page('several made unavailable', '2 products made unavailable', 'toast', (stage) =>
    several(stage).then(() => stage.press('Make unavailable')),
  ),
  page('several to be removed', 'Remove 2 products?', 'heading', async (stage) => {
    await several(stage);
    await stage.press('Remove them');
  }),
  page('several removed, one in an order', '2 of 2 were not removed', 'heading', async (stage) => {
    stage.answers('GET /v1/check-CartItems/:id', 200, { exist: true, message: 'In an order' });
    await several(stage);
    await stage.press('Remove them', 'Remove 2 products');
  }),
  page('an image pressed', '/single-product/5/p4', 'address', press('Canvas sneakers')),
  page('no products', 'No Products avialable. Kindly make an upload!', 'heading', (stage) =>
    stage.answers('GET /v1/user/products', 200, {
      success: true,
      userDetails: [],
      counts: { AVAILABLE: 0, UNAVAILABLE: 0 },
      nextCursor: null,
    }),
  ),
  page(
    'the fifth word of the answer is unavailable',
    2,
    count('article.OwnGoods-unavailable'),
    (stage) => toggle(stage, 'Available'),
  ),
  page(
    'the fifth word of the answer is available',
    2,
    count('article:not(.OwnGoods-unavailable)'),
    (stage) => {
      stage.answers('PUT /v1/products/:id/toggle-status', 200, {
        success: true,
        message: 'Product status changed to available',
      });
      return toggle(stage, 'Unavailable');
    },
  ),
  page('the toggle fails', 'Error changing product Status', 'toast', async (stage) => {
    stage.answers('PUT /v1/products/:id/toggle-status', 500, failure());
    await stage.press('Available');
  }),
  page('removed', 'Product removed', 'toast', remove),
  page('removed: the list is read again', 2, callCount('GET /v1/user/products'), remove),
  page(
    'removal while in a transaction',
    'This product is still in transaction!',
    'toast',
    async (stage) => {
      stage.answers('GET /v1/check-CartItems/:id', 200, {
        exist: true,
        message: 'In a transaction',
      });
      await remove(stage);
    },
  ),
  page('removals sent while in a transaction', 0, {
    measure: async (stage) => {
      stage.answers('GET /v1/check-CartItems/:id', 200, {
        exist: true,
        message: 'In a transaction',
      });
      await remove(stage);
      await stage.sees('This product is still in transaction!', 'toast');
      return stage.callsTo('DELETE /v1/product/:id').length;
    },
  }),
  page(
    'the transaction is asked after and is not there',
    'No such product',
    'toast',
    async (stage) => {
      stage.answers('GET /v1/check-CartItems/:id', 404, failure('No such product'));
      await remove(stage);
    },
  ),
  page('removal of what is not there', 'No such product', 'toast', async (stage) => {
    stage.answers('DELETE /v1/product/:id', 404, failure('No such product'));
    await remove(stage);
  }),

  page('money is payable, and no bank is known', 'Add bank details', 'link', payable),
  page(
    'money is payable, and no bank is known: the way',
    '/dashboard/profile',
    'address',
    async (stage) => {
      payable(stage);
      await stage.press('Add bank details');
    },
  ),
  page('money is payable, and a bank is known', 'Add bank details', 'absent', async (stage) => {
    payable(stage);
    stage.answers('GET /v1/user/payout-account', 200, {
      success: true,
      account: { account_name: 'Ada', account_number: '0123456789', bank_code: '044' },
    });
    await stage.sees('₦20,000');
  }),
];
