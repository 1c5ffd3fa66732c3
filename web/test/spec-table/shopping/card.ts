import { cheapBag, facets, soldOutBag, watch } from '../goods.js';
import { at, type Row } from '../row.js';
import { attribute, press, storedValue } from '../steps.js';

const search = at('/search-items?query=field+watch');
const TOGGLE = `Add to cart: ${watch.prod_name}`;
const UNTOGGLE = `Remove from cart: ${watch.prod_name}`;
const LINE = /"product_id":"p1","user_id":"s1","quantity":1/;

const SOLD_OUT = `Sold out: ${soldOutBag.prod_name}`;
const soldOut = at('/search-items?query=bag', (stage) =>
  stage.answers('GET /v1/products/search', 200, {
    success: true,
    result: [soldOutBag],
    total: 1,
    facets,
    nextCursor: null,
  }),
);

/** A product's card, on any page. */
export const card: readonly Row[] = [
  search('a card', 'Musa & Sons Watches', 'link'),
  search('a card', '₦31,050'),
  search('a card', 'Single order', 'button'),
  search('a card, its image', 'Field watch, olive strap', attribute('article img', 'alt')),
  search(
    'the business name pressed',
    '/sellers-store/Musa-&-Sons-Watches',
    (stage) => decodeURIComponent(stage.address()),
    press('Musa & Sons Watches'),
  ),
  at('/sellers-store/Coal-City-Footwear')(
    'a card in its own store',
    'Coal City Footwear',
    (stage) => stage.find('h1')[0]?.textContent ?? '',
  ),
  at('/sellers-store/Coal-City-Footwear')('a card in its own store, links to the store', 0, {
    measure: async (stage) => {
      await stage.sees('Canvas sneakers', 'heading');
      return stage.find('article .ProductCard-seller').length;
    },
  }),
  search('the image pressed', '/single-product/3/p1', 'address', press(watch.prod_name)),
  search(
    'the image pressed, the product recorded',
    'p1',
    storedValue('pid'),
    press(watch.prod_name),
  ),
  search('Single order pressed', '/cart-contents/single', 'address', press('Single order')),
  search(
    'Single order pressed, the product recorded',
    'p1',
    storedValue('singleProductId'),
    press('Single order'),
  ),
  search(
    'Single order pressed, the cart',
    LINE,
    storedValue('itemsAddedToCart'),
    press('Single order'),
  ),
  search('not in the cart', TOGGLE, 'button'),
  search('not in the cart', '', attribute('.ProductCard-cartToggle', 'data-in-cart')),
  search('the cart pressed', UNTOGGLE, 'button', press(TOGGLE)),
  search(
    'the cart pressed: highlighted',
    'true',
    attribute('.ProductCard-cartToggle', 'data-in-cart'),
    press(TOGGLE),
  ),
  search(
    'the cart pressed: added with quantity',
    LINE,
    storedValue('itemsAddedToCart'),
    press(TOGGLE),
  ),
  search('the cart pressed twice', '[]', storedValue('itemsAddedToCart'), press(TOGGLE, UNTOGGLE)),
  search(
    'in the cart already, Single order pressed',
    'Cart, 1 item',
    'link',
    press(TOGGLE, 'Single order'),
  ),
  soldOut('the last one sold', 'Sold out'),
  soldOut('the last one sold', SOLD_OUT, 'disabled'),
  soldOut('the last one sold', `Add to cart: ${soldOutBag.prod_name}`, 'absent'),
  soldOut(
    'the last one sold, and it is in the cart',
    `Remove from cart: ${soldOutBag.prod_name}`,
    'button',
    (stage) => stage.cart(soldOutBag),
  ),
  search('ms that the notice of a product stays', 3_000, {
    measure: async (stage) => {
      await stage.press(TOGGLE);
      await stage.stopClock();
      await stage.press(UNTOGGLE);
      return stage.msOfToast(/Removed from your cart/);
    },
  }),
  at('/search-items?query=raffia&condition=Used')(
    'a price with a thousands separator',
    '₦4,000',
    (stage) => stage.find('article .Price-price')[0]?.textContent ?? '',
  ),
  at('/search-items?query=raffia&condition=Used')('another product', cheapBag.prod_name, 'heading'),
];
