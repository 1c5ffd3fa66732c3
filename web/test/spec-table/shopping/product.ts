import { changeAuthStorage } from '../../../src/stores/persistent-store.js';
import { rememberSeen } from '../../../src/stores/saved-and-seen.js';
import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { asSeller, press, sequence, storedValue, texts } from '../steps.js';

const product = at('/single-product/3/p1');
const shoe = at('/single-product/5/p4');
const viewCard = at('/view-card', () => changeAuthStorage(() => ({ pid: 'p1' })));
const counter = (stage: Stage) =>
  /\d+\/\d+/.exec(
    stage.find('section[aria-label="Pictures"] [role="status"]')[0]?.textContent ?? '',
  )?.[0];
const tiles = texts('.ShopperView-tiles > div');

const enlarge = press('Enlarge the picture');
const sawWatch = () => rememberSeen('p1');

const seen: readonly Row[] = [
  ...[at('/', sawWatch), at('/single-product/5/p4', sawWatch)].flatMap((page) => [
    page('something else was looked at before', 'Recently seen', 'heading'),
    page(
      'what was looked at is cleared',
      'Nothing is kept of what you looked at.',
      'toast',
      press('Clear what was recently seen'),
    ),
    page(
      'what was looked at is cleared',
      'Recently seen',
      'absent',
      press('Clear what was recently seen'),
    ),
    page(
      'what was looked at is cleared, and Undo pressed',
      'Recently seen',
      'heading',
      press('Clear what was recently seen', 'Undo'),
    ),
  ]),
  at('/')('nothing was looked at', 'Recently seen', 'absent'),
  product('nothing else was looked at', 'Recently seen', 'absent'),
];

/** One product, as shoppers see it. */
export const productPage: readonly Row[] = [
  ...seen,
  product('its name', 'Field watch, olive strap', 'heading'),
  product(
    'its price',
    '₦31,050',
    (stage) => stage.find('section[aria-label=Buy] .Price-price')[0]?.textContent ?? '',
  ),
  product(
    'its seller pressed',
    /^\/sellers-store\/Musa-.*-Watches$/,
    'address',
    press(/^Musa & Sons Watches/),
  ),
  product('its pictures', '1/2', counter),
  product('the next picture', '2/2', counter, press('Next picture')),
  product('after the last picture', '1/2', counter, press('Next picture', 'Next picture')),
  product('before the first picture', '2/2', counter, press('Previous picture')),
  product(
    'Single order pressed, the product recorded',
    'p1',
    storedValue('singleProductId'),
    press('Single order'),
  ),
  at('/single-product/1/p6')('the last one sold', 'Sold out'),
  at('/single-product/1/p6')('the last one sold, its buttons to buy', 0, (stage) =>
    stage.find('h1').length === 0
      ? undefined
      : stage
          .find('section[aria-label=Buy] button')
          .filter(({ textContent }) => /Add to cart|Single order/.test(textContent ?? '')).length,
  ),
  product('not in the cart', 'Add to cart', 'button'),
  product('added', 'Remove from cart', 'button', press('Add to cart')),
  product(
    'added: the cart',
    /"product_id":"p1"/,
    storedValue('itemsAddedToCart'),
    press('Add to cart'),
  ),
  product(
    'removed',
    '[]',
    storedValue('itemsAddedToCart'),
    press('Add to cart', 'Remove from cart'),
  ),
  product('its attributes', 'ColorOlive, Water resistantYes, ConditionNew', tiles),
  shoe('its attributes', /Size43/, tiles),
  product('its description', 'Keeps time.'),
  product('beside it', 'Similar Products', 'heading'),
  product('similar ones', /^Dress watch 1, Dress watch 2, /, texts('.ProductCard-grid h3')),
  product(
    'similar ones, whether it is among them',
    false,
    (stage) =>
      stage.find('.ProductCard-grid h3').length === 0 ||
      stage
        .find('.ProductCard-grid h3')
        .some((name) => name.textContent === 'Field watch, olive strap'),
  ),
  shoe('none is similar', 'No similar product currently available...', 'heading'),
  at('/single-product/5/p4', asSeller)('its owner', 'edit details', 'link'),
  at('/single-product/5/p4', asSeller)(
    'its owner, the properties',
    /^Product name, Price, .*Description$/,
    texts('table th'),
  ),
  shoe('not its owner', 'edit details', 'absent'),
  product('shared: its link', 'Copy the link', 'button', press('Share this product')),
  product('shared: to a friend', 'WhatsApp', 'link', press('Share this product')),
  product(
    'shared: what the friend is told',
    /^https:\/\/wa\.me\/\?text=Field watch, olive strap, ₦31,050 on Oja: http.*\/single-product\/3\/p1$/,
    (stage) => decodeURIComponent(stage.find('a[href*="wa.me"]')[0]?.getAttribute('href') ?? ''),
    press('Share this product'),
  ),
  product(
    'shared by its link',
    'The link is copied.',
    'toast',
    press('Share this product', 'Copy the link'),
  ),
  product('a picture', 'Enlarge the picture', 'button'),
  product('a picture enlarged', 'Field watch, olive strap', 'dialog', enlarge),
  product('a picture enlarged: which', 'Picture 1/2, 100 %', 'status', enlarge),
  product(
    'a picture enlarged: the next',
    'Picture 2/2, 100 %',
    'status',
    sequence(enlarge, press('Next picture')),
  ),
  product(
    'a picture enlarged: Larger',
    'Picture 1/2, 150 %',
    'status',
    sequence(enlarge, press('Larger')),
  ),
  product(
    'a picture enlarged: Larger, Smaller',
    'Picture 1/2, 100 %',
    'status',
    sequence(enlarge, press('Larger', 'Larger', 'Smaller', 'Smaller')),
  ),
  product(
    'a picture enlarged and closed',
    'Larger',
    'absent',
    sequence(enlarge, (stage) => stage.sees('Larger', 'button'), press('Close')),
  ),
  viewCard('a card was pressed', 'Field watch, olive strap', 'heading'),
  viewCard('a card was pressed: the address', '/single-product/3/p1', 'address'),
  product('what it is not', 'This product is not on the market', 'heading', (stage) =>
    stage.answers('GET /v1/product/:id', 404, { success: false, message: 'No such product' }),
  ),
];
