import { cheapBag, watch } from './goods.js';
import { at, type Row } from './row.js';
import { emittedEvents, sendToApp } from './socket.js';
import {
  asSeller,
  fillPayment,
  logIn,
  press,
  sentValue,
  sequence,
  signUp,
  upload,
} from './steps.js';

const register = at('/register');
const login = at('/login');
const uploadPage = at('/upload-product', asSeller);
const home = at('/');
const search = at('/search-items?query=field+watch');
const product = at('/single-product/3/p1');
const cart = at('/cart-contents/multiple-order', (stage) => stage.cart());
const form = at('/payment-form', (stage) => stage.cart());
const verify = at('/payment/verify?reference=ref-1');
const confirmation = at('/payment/verify/delivery-confirmation', (stage) => stage.paid());
const pay = sequence(fillPayment, press('Submit'));

/** One path through the whole market, from a seller's first visit to the payout. */
export const happyPath: readonly Row[] = [
  register('as it opens', 'SIGN UP', 'heading'),
  register('signed up', '/upload-product', 'address', signUp),
  login('as it opens', 'LOGIN', 'heading'),
  login('logged in', '/dashboard', 'address', logIn),

  uploadPage('as it opens', 'Upload', 'button'),
  uploadPage('uploaded', 'successfully uploaded your product!!!', 'toast', upload),
  uploadPage('uploaded', '/dashboard', 'address', upload),
  uploadPage(
    'uploaded, the name sent',
    'Suede boots',
    sentValue('POST /v1/add-product', 'updatedInput', 'prod_name'),
    upload,
  ),

  home('with goods', watch.prod_name, 'heading'),
  home('with goods', '₦31,050'),
  home('a picture pressed', '/single-product/3/p1', 'address', press(watch.prod_name)),
  search('three letters or more', 'All Category', 'heading'),
  search('three letters or more', '1 product found', 'status'),
  search('three letters or more', watch.prod_name, 'heading'),
  search('other goods', cheapBag.prod_name, 'absent'),
  product('as it opens', watch.prod_name, 'heading'),
  product('as it opens', 'Single order', 'button'),
  product('Single order pressed', '/cart-contents/single', 'address', press('Single order')),

  cart('with a product', 'Cart Summary', 'heading'),
  cart('with a product', watch.prod_name, 'link'),
  cart('Proceed to Checkout pressed', '/payment-form', 'address', press('Proceed to Checkout')),
  form('with a cart', 'Submit', 'button'),
  form('submitted', 'https://pay.test/checkout', (stage) => stage.leftFor(), pay),
  verify('paid', 'Payment was successful!', 'heading'),
  verify(
    'To confirmation pressed',
    '/payment/verify/delivery-confirmation',
    'address',
    press('To confirmation'),
  ),
  confirmation('with a paid order', 'Have you received the product?', 'heading'),
  confirmation('Yes pressed', '/', 'address', press('Yes')),
  confirmation(
    'Yes pressed, the order confirmed',
    1,
    (stage) => stage.callsTo('PUT /v1/buyers/transactions/:transactionId').length,
    press('Yes'),
  ),

  at('/dashboard/notifications', asSeller)('with an unread notice', 'Canvas sneakers'),
  at('/dashboard', asSeller)(
    'an order comes',
    'New order for:Canvas sneakers',
    'toast',
    async (stage) => {
      await stage.settled();
      await stage.until(() => {
        if (emittedEvents.length === 0) throw new Error('Nobody listens yet');
      });
      sendToApp('notification', { message: 'New order for:Canvas sneakers' });
    },
  ),
];
