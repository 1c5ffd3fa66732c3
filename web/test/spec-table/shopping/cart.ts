import { startSingleOrder } from '../../../src/stores/cart.js';
import { changeAuthStorage } from '../../../src/stores/persistent-store.js';
import { cheapBag, fiveThousandBag, soldOutBag, watch } from '../goods.js';
import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { count, press, storedValue, texts } from '../steps.js';

const empty = at('/cart-contents/multiple-order');
const holding = (...goods: Parameters<Stage['cart']>[]) =>
  at('/cart-contents/multiple-order', (stage) => {
    for (const line of goods) stage.cart(...line);
  });
const one = holding([watch]);
const cheap = holding([cheapBag]);
const fee = texts('.CartPage-summary dl > div:nth-child(2) dd');
const total = texts('.CartPage-summary .Panel-amountLine.Panel-total dd');
const quantity = texts('fieldset b[aria-live]');
/** A cart of exactly 5,000, with the delivery fee that was stored before. */
const atFiveThousand = (current: number) =>
  at('/cart-contents/multiple-order', (stage) => {
    changeAuthStorage(() => ({ deliveryFee: current }));
    stage.cart(fiveThousandBag);
  });
const single = (mode: string) => at(`/cart-contents/${mode}`, () => void startSingleOrder(watch));

/** What was chosen, and what it adds up to. */
export const cartPage: readonly Row[] = [
  empty('nothing in it', 'Oops!!! Cart is empty', 'heading'),
  at('/cart-contents/single')('nothing in it', 'Oops!!! Cart is empty', 'heading'),
  one('its rows', 1, count('.SellerPanel-product')),
  holding([watch], [cheapBag])('its rows', 2, count('.SellerPanel-product')),
  one('a row', 'Field watch, olive strap', 'link'),
  one('quantity at first', '1', quantity),
  one('+ pressed', '2', quantity, press('More')),
  one('+ and - pressed', '1', quantity, press('More', 'Fewer')),
  one('the least', 'Fewer', 'disabled'),
  holding([watch, 2])('more than the least', 'Fewer', 'enabled'),
  holding([watch, 99])('the most', 'More', 'disabled'),
  holding([watch, 2])('two of them: the total', '₦62,100', total),
  one('+ pressed: quantity kept', /"quantity":2/, storedValue('itemsAddedToCart'), press('More')),
  one('Remove pressed', 'Oops!!! Cart is empty', 'heading', press('Remove')),
  one('added again', 1, count('.SellerPanel-product'), (stage) => stage.cart(watch)),
  holding([soldOutBag])('the last one sold', /Beaded bag.*sold out/),
  holding([soldOutBag], [watch])(
    'the last one sold, its way on',
    'Proceed to Checkout',
    'disabled',
  ),
  one('its summary', 'Cart Summary', 'heading'),
  one('its way on', 'Proceed to Checkout', 'link'),
  one('its way on, pressed', '/payment-form', 'address', press('Proceed to Checkout')),

  cheap('a subtotal below 5,000: the fee', '₦800', fee),
  cheap('a subtotal below 5,000: the total', '₦4,800', total),
  cheap('a subtotal below 5,000: the fee kept', 800, storedValue('deliveryFee')),
  cheap('a subtotal below 5,000: what is missing', '₦1,001 more for free delivery'),
  one('a subtotal above 5,000: what is missing', /more for free delivery/, 'absent'),
  one('a subtotal above 5,000: the fee', '₦0', fee),
  one('a subtotal above 5,000: the total', '₦31,050', total),
  one('a subtotal above 5,000: the fee kept', 0, storedValue('deliveryFee')),
  atFiveThousand(800)('a subtotal of 5,000 after a fee: the fee', '₦800', fee),
  atFiveThousand(0)('a subtotal of 5,000 after no fee: the fee', '₦0', fee),
  one('the rule', /Purchases below ₦5,000\.00 incur a delivery fee of ₦800\.00\./),
  one('the rule', /Purchases above ₦5,000\.00 have no fee and are delivered in 24 hours\./),

  single('single')('mode single', 'Single order', texts('.SellerPanel-chosen .Badge-badge')),
  single('single order')(
    'mode single order',
    'Single order',
    texts('.SellerPanel-chosen .Badge-badge'),
  ),
  single('multiple order')(
    'mode multiple order: marked rows',
    0,
    count('.SellerPanel-chosen'),
    (stage) => stage.sees('Cart Summary', 'heading'),
  ),
];
