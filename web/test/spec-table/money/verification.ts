import { ORDER_KEY } from '../orders.js';
import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { attribute, failure, press, sequence, storedValue, texts } from '../steps.js';

const VERIFY = 'GET /v1/transaction/verify/:reference';
const verify = at('/payment/verify?reference=ref-1');
const bare = at('/payment/verify');
const unpaid = (stage: Stage) => stage.answers(VERIFY, 200, { ok: false });
const fails = (stage: Stage) => stage.answers(VERIFY, 400, failure());
const contacted = (stage: Stage) => decodeURIComponent(stage.address()).replaceAll('+', ' ');

export const verification: readonly Row[] = [
  verify(
    'while it is asked',
    'Payment Verification',
    'heading',
    (stage) => void stage.holds(VERIFY),
  ),
  verify(
    'while it is asked',
    'Verifying your payment',
    'status',
    (stage) => void stage.holds(VERIFY),
  ),
  verify('paid', 'Payment Verification'),
  verify(
    'paid: the reference asked for',
    'ref-1',
    (stage) => stage.callsTo(VERIFY)[0]?.params.reference,
  ),
  verify('paid', 'Payment was successful!', 'heading'),
  verify('paid', 'To confirmation', 'link'),
  verify('paid: the number of the order', ORDER_KEY.slice(0, 8).toUpperCase()),
  verify('paid: its goods', /Canvas sneakers/),
  verify('paid: where the receipt is', /^Receipt sent/),
  verify('paid: what comes', 'What happens next', 'heading'),
  verify('paid: the step', /Deliver$/, texts('[aria-current=step]')),
  verify(
    'paid: the transaction kept',
    ORDER_KEY,
    () => /[0-9a-f-]{36}\.[\w-]{22}/.exec(localStorage.getItem('oja-orders') ?? '')?.[0],
  ),
  verify('paid: the status', 'Pending', storedValue('status')),
  verify('paid: the bell', 'Confirm your delivery', 'link'),
  verify('not paid: the bell', 'Confirm your delivery', 'absent', unpaid),
  verify(
    'paid: the bell at home',
    'Confirm your delivery',
    'link',
    sequence(
      (stage) => stage.sees('Payment was successful!', 'heading'),
      (stage) => stage.go('/'),
    ),
  ),
  verify('not paid', 'Payment verification failed.', 'heading', unpaid),
  verify('not paid', 'Contact us', 'link', unpaid),
  verify('not paid', 'To confirmation', 'absent', unpaid),
  verify('it fails', 'Error verifying payment.', 'heading', fails),
  verify('it fails', 'Contact us', 'link', fails),
  bare('no reference', 'No payment reference found.', 'heading'),
  bare('no reference', 'Contact us', 'link'),
  bare('no reference: Contact us leads to', /^\/contact\?/, attribute('.order-actions a', 'href')),
  verify(
    'Contact us pressed',
    /^\/contact\?subject=VERFICATION ERROR&message=Payment verification failed\. /,
    contacted,
    sequence(unpaid, press('Contact us')),
  ),
  verify(
    'Contact us pressed: the subject',
    'VERFICATION ERROR',
    (stage) => stage.value('Subject'),
    sequence(unpaid, press('Contact us')),
  ),
  verify(
    'Contact us pressed: the message',
    /^Error verifying payment\..*ref-1/,
    (stage) => stage.value('Message'),
    sequence(fails, press('Contact us')),
  ),
];
