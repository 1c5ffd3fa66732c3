import { changeAuthStorage } from '../../../src/stores/persistent-store.js';
import { cheapBag, watch } from '../goods.js';
import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { count, failure, fillPayment, press, sentValue, sequence } from '../steps.js';

const INITIALIZE = 'POST /v1/transaction/initialize';
const form = at('/payment-form', (stage) => stage.cart());
const amount = (stage: Stage) => stage.value('Amount');
const pay = sequence(fillPayment, press('Submit'));
/** The cart is empty, and a single product was chosen. */
const single = (productId: string) =>
  at('/payment-form', () => changeAuthStorage(() => ({ singleProductId: productId })));
const fails = (stage: Stage) => {
  stage.answers(INITIALIZE, 502, failure());
  return pay(stage);
};
/** Submits the form without one field; counts the calls made. */
const without = (label: string, value = '') => ({
  measure: async (stage: Stage) => {
    await fillPayment(stage, { [label]: value });
    await stage.press('Submit');
    await stage.sees(/is required|Write the whole address/);
    return stage.callsTo(INITIALIZE).length;
  },
});

export const paymentForm: readonly Row[] = [
  ...['Full Name', 'Email address', 'Amount', 'Home Address', 'Phone number'].map((label) =>
    form('a field', label, 'label'),
  ),
  form('fields that are required', 5, count('form [aria-required=true]')),
  form('as it opens', 'Submit', 'button'),
  form('Back to cart pressed', '/cart-contents/multiple-order', 'address', press('Back to cart')),
  form(
    'the kind of its e-mail field',
    'email',
    (stage) => stage.find('[name=email]')[0]?.getAttribute('type') ?? '',
  ),
  form('a cart above 5,000', '₦31,050', amount),
  at('/payment-form', (stage) => stage.cart(cheapBag))('a cart below 5,000', '₦4,800', amount),
  at('/payment-form', (stage) => stage.cart(watch, 2))('two of a product', '₦62,100', amount),
  at('/payment-form')('nothing to pay', 'Oops!!! Cart is empty', 'heading'),
  single('p1')('a single product above 5,000', '₦31,050', amount),
  single('p2')('a single product below 5,000', '₦4,800', amount),
  ...['Full Name', 'Email address', 'Home Address', 'Phone number'].map((label) =>
    form(`orders sent without ${label}`, 0, without(label)),
  ),
  form('orders sent with an e-mail that is none', 0, without('Email address', 'ngozi')),
  form(
    'what is sent',
    'full_name,email,home_address,phone_number,amount,buyerItems',
    (stage) => Object.keys(Object(stage.callsTo(INITIALIZE)[0]?.body)).join(),
    pay,
  ),
  form('the amount sent', 31_050, sentValue(INITIALIZE, 'amount'), pay),
  form(
    'the goods sent',
    '[{"product_id":"p1","user_id":"s1","quantity":1}]',
    sentValue(INITIALIZE, 'buyerItems'),
    pay,
  ),
  single('p2')(
    'the single product sent',
    '[{"product_id":"p2","user_id":"s1","quantity":1}]',
    sentValue(INITIALIZE, 'buyerItems'),
    pay,
  ),
  form('while submitting: the overlay', 1, {
    measure: async (stage) => {
      const answer = stage.holds(INITIALIZE);
      await pay(stage);
      await stage.sees('Taking you to the payment page');
      const overlays = stage.find('.Spinner-spinner.Spinner-overlay').length;
      // Answered after this row, the order would be one that the next row has placed before.
      answer();
      await stage.settled();
      return overlays;
    },
  }),
  form('submitted', 'https://pay.test/checkout', (stage) => stage.leftFor(), pay),
  form('it fails', 'Payment Error', 'dialog', fails),
  form(
    'it fails',
    'There was an issue redirecting to the payment page. Please try again.',
    'text',
    fails,
  ),
  form('it fails', 'Close', 'button', fails),
  form('it is refused as it stands', 'Payment Error', 'dialog', (stage) => {
    stage.answers(INITIALIZE, 400, failure());
    return pay(stage);
  }),
  form('Close pressed', 'Payment Error', 'absent', sequence(fails, press('Close'))),
  form(
    'it fails: what was typed',
    'Ngozi Obi',
    (stage) => stage.value('Full Name'),
    sequence(fails, press('Close')),
  ),
];
