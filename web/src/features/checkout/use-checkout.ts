import { type Kobo, koboToNaira, limits, nairaToKobo } from '@oja/domain/rules';
import { cleanLine, isBuyerName, isCallable, isWholeAddress } from '@oja/domain/rules/user-input';
import { useEffect, useRef, useState } from 'react';
import { type FieldErrors, useForm } from 'react-hook-form';
import { ApiError } from '../../api/error.js';
import { errorMessage } from '../../api/failures.js';
import { useIsStillOnPage } from '../../app/navigation.js';
import { saveOrder } from '../../stores/orders.js';
import { type Checkout, placeOrder } from './api.js';
import { type Basket, UNKNOWN_PRODUCT } from './basket.js';
import {
  type Buyer,
  buyerFields,
  discardAttempt,
  findOrCreateAttempt,
  loadBuyer,
  saveBuyer,
} from './draft.js';
import { findPaidMeanwhile } from './payments.js';

/** Labels of the form's fields, in the order in which they are shown and focused. */
export const labels = {
  full_name: 'Full Name',
  email: 'Email address',
  home_address: 'Home Address',
  phone_number: 'Phone number',
} as const satisfies Readonly<Record<keyof Buyer, string>>;

const validators: Readonly<Record<keyof Buyer, (value: string) => string | undefined>> = {
  full_name: (value) =>
    isBuyerName(value)
      ? lengthProblem(value, limits.buyerName.max)
      : 'Write a name that a rider can ask for, like Ngozi Obi',
  email: (value) => emailProblem(value) ?? lengthProblem(value, limits.email.max),
  home_address: (value) =>
    isWholeAddress(value)
      ? lengthProblem(value, limits.address.max)
      : 'Write number, street and area, like 12 Allen Avenue, Ikeja',
  phone_number: (value) =>
    isCallable(value)
      ? lengthProblem(value, limits.phone.max)
      : 'Write the whole number, like 0803 412 7765',
};

function emailProblem(value: string): string | undefined {
  const [name = '', host = '', ...more] = value.split('@');
  if (host === '' || name === '' || more.length > 0 || /\s/.test(value))
    return 'Write the whole address, like name@gmail.com';
  return /\.[a-z]{2,}$/i.test(host) ? undefined : 'Add the part after the dot, like gmail.com';
}

function lengthProblem(value: string, max: number): string | undefined {
  return [...value].length > max ? `Make it shorter: at most ${max} characters` : undefined;
}

/** What is wrong with one field, to show below it; undefined when it is valid. */
function validateField(name: keyof Buyer, value: string): string | undefined {
  return value === '' ? `${labels[name]} is required` : validators[name](value);
}

/** The values as the server reads them. */
function normalizeBuyer(typed: Buyer): Buyer {
  return {
    full_name: cleanLine(typed.full_name),
    email: cleanLine(typed.email),
    home_address: cleanLine(typed.home_address),
    phone_number: cleanLine(typed.phone_number),
  };
}

/** For react-hook-form, which then focuses the first invalid field. */
function resolver(typed: Buyer) {
  const values = normalizeBuyer(typed);
  const errors: FieldErrors<Buyer> = Object.fromEntries(
    buyerFields.flatMap((name) => {
      const message = validateField(name, values[name]);
      return message === undefined ? [] : [[name, { type: 'rule', message }]];
    }),
  );
  return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
}

/** The result of a submission that did not lead to the payment page. */
type Outcome =
  | { readonly kind: 'amount-changed' }
  | { readonly kind: 'gone'; readonly names: readonly string[] }
  /** Fewer pieces in stock than were ordered. The server's message says what to do. */
  | { readonly kind: 'short'; readonly message: string }
  /** Orders with some of the goods turned out to be paid: their numbers. */
  | { readonly kind: 'paid-before'; readonly numbers: readonly string[] }
  /** No payment page, and no field to correct: shown in a dialog. */
  | { readonly kind: 'failed'; readonly message: string };

/** A total that the server named; valid for exactly these goods. */
interface ChangedTotal {
  readonly goods: string;
  readonly amount: Kobo;
}

/** A form that still stands this long after it was left for the payment page can be sent again. In ms. */
const RESET_AFTER_MS = 15_000;

/** The payment form: the typed values, the amount to pay, and the outcome of a submission. */
export function useCheckout(basket: Basket, refetch: () => Promise<unknown>) {
  const [sending, setSending] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const [changedTotal, setChangedTotal] = useState<ChangedTotal>();
  const isSubmitted = useRef(false);
  const resetTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isStillOnPage = useIsStillOnPage();
  const goods = JSON.stringify(basket.items.map((i) => [i.product_id, i.quantity, i.price]));
  const amount = changedTotal?.goods === goods ? changedTotal.amount : basket.total;
  const form = useForm<Buyer>({
    defaultValues: {
      full_name: '',
      email: '',
      home_address: '',
      phone_number: '',
      ...loadBuyer(),
    },
    resolver,
  });

  useEffect(() => {
    const typing = form.watch((typed) => saveBuyer(typed));
    return () => typing.unsubscribe();
  }, [form]);

  const stopSending = () => {
    clearTimeout(resetTimer.current);
    isSubmitted.current = false;
    setSending(false);
  };
  useEffect(() => {
    // Back from the provider may restore the page from the browser's cache, still in its sending state.
    const onPageShow = (event: PageTransitionEvent) => {
      if (event.persisted) stopSending();
    };
    addEventListener('pageshow', onPageShow);
    return () => removeEventListener('pageshow', onPageShow);
  });

  const handleRefusal = (error: unknown) => {
    stopSending();
    const failure = error instanceof ApiError ? error : undefined;
    const changed = failure?.body.amount;
    if (failure?.code === 'amount_changed' && typeof changed === 'number') {
      setChangedTotal({ goods, amount: nairaToKobo(changed) });
      setOutcome({ kind: 'amount-changed' });
      void refetch();
      return;
    }
    if (failure?.code === 'sold_out') {
      setOutcome({ kind: 'short', message: failure.message });
      void refetch();
      return;
    }
    const gone = parseProductNames(failure?.body.gone);
    if (failure?.status === 409 && gone.length > 0)
      return setOutcome({ kind: 'gone', names: gone });
    if (failure?.status === 422) discardAttempt();
    const wrong = buyerFields.filter((name) => failure?.errors[name] !== undefined);
    for (const [place, name] of wrong.entries())
      form.setError(
        name,
        { message: `${labels[name]} ${failure?.errors[name]}` },
        { shouldFocus: place === 0 },
      );
    if (wrong.length > 0) return;
    setOutcome({ kind: 'failed', message: errorMessage(error) });
  };

  const submit = form.handleSubmit(async (buyer) => {
    if (isSubmitted.current) return;
    isSubmitted.current = true;
    setSending(true);
    setOutcome(undefined);
    const order: Checkout = {
      ...buyer,
      amount: koboToNaira(amount),
      buyerItems: basket.items.map(({ product_id, user_id, quantity }) => ({
        product_id,
        user_id,
        quantity,
      })),
    };
    const goods = order.buyerItems.map(({ product_id }) => product_id);
    try {
      const numbers = await findPaidMeanwhile(goods);
      if (numbers.length > 0) {
        stopSending();
        // The paid order is done with, and what was typed for it; it is wanted for what is left.
        saveBuyer(form.getValues());
        return setOutcome({ kind: 'paid-before', numbers });
      }
      const attempt = await findOrCreateAttempt(order, Date.now());
      const { data, transactionId } = await placeOrder(order, attempt.key);
      saveOrder(transactionId, 'placed', { goods, attempt });
      // Whoever has left the form, as to change the cart, finds this order in My orders.
      if (!isStillOnPage()) return stopSending();
      location.assign(data.data.authorization_url);
      // The payment page may not come, and the browser's Stop tells nobody: the same order is then sent with its key.
      resetTimer.current = setTimeout(stopSending, RESET_AFTER_MS);
    } catch (error) {
      handleRefusal(error);
    }
  });
  return { form, amount, sending, outcome, submit, dismiss: () => setOutcome(undefined) };
}

/** Names of the goods that a refusal lists. */
function parseProductNames(gone: unknown): readonly string[] {
  if (!Array.isArray(gone)) return [];
  return gone.map((one: unknown) =>
    typeof one === 'object' &&
    one !== null &&
    'prod_name' in one &&
    typeof one.prod_name === 'string'
      ? one.prod_name
      : UNKNOWN_PRODUCT,
  );
}
