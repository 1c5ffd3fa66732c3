import { type Kobo, koboToNaira, nairaToKobo } from '@oja/domain/rules';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { type Checkout, placeOrder } from '../../api/checkout.js';
import { ApiError, messageOf } from '../../api/error.js';
import { keepOrder } from '../../stores/orders.js';
import type { Basket } from './basket.js';
import { type Buyer, dropKey, keepTyped, keyFor, typedBefore } from './draft.js';
import { buyerFields, labels, resolver } from './rules.js';

/** What came of a submission that did not lead to the provider. */
export type Outcome =
  | { readonly kind: 'amount-changed' }
  | { readonly kind: 'gone'; readonly names: readonly string[] }
  /** No address to pay at, and no field to put right: the modal. */
  | { readonly kind: 'failed'; readonly message: string };

/** A total that the server named, for these very goods. */
interface Told {
  readonly goods: string;
  readonly amount: Kobo;
}

const unknownName = 'A product that is not there';

/** The payment form: what is typed, the amount it stands for, and what becomes of a submission. */
export function useCheckout(basket: Basket, refetch: () => Promise<unknown>) {
  const [sending, setSending] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const [told, setTold] = useState<Told>();
  const pressed = useRef(false);
  const goods = JSON.stringify(basket.items.map((i) => [i.product_id, i.quantity, i.price]));
  const amount = told?.goods === goods ? told.amount : basket.amount;
  const form = useForm<Buyer>({
    defaultValues: {
      full_name: '',
      email: '',
      home_address: '',
      phone_number: '',
      ...typedBefore(),
    },
    resolver,
  });

  useEffect(() => {
    const typing = form.watch((typed) => keepTyped(typed));
    return () => typing.unsubscribe();
  }, [form]);

  const rest = () => {
    pressed.current = false;
    setSending(false);
  };
  useEffect(() => {
    // Back from the provider may show the page as it was left, in the middle of sending.
    const shown = (event: PageTransitionEvent) => {
      if (event.persisted) rest();
    };
    addEventListener('pageshow', shown);
    return () => removeEventListener('pageshow', shown);
  });

  const refused = (error: unknown) => {
    rest();
    const failure = error instanceof ApiError ? error : undefined;
    const changed = failure?.body.amount;
    if (failure?.code === 'amount_changed' && typeof changed === 'number') {
      setTold({ goods, amount: nairaToKobo(changed) });
      setOutcome({ kind: 'amount-changed' });
      void refetch();
      return;
    }
    const gone = namesOf(failure?.body.gone);
    if (failure?.status === 409 && gone.length > 0)
      return setOutcome({ kind: 'gone', names: gone });
    if (failure?.status === 422) dropKey();
    const wrong = buyerFields.filter((name) => failure?.errors[name] !== undefined);
    for (const [place, name] of wrong.entries())
      form.setError(
        name,
        { message: `${labels[name]} ${failure?.errors[name]}` },
        { shouldFocus: place === 0 },
      );
    if (wrong.length > 0) return;
    setOutcome({ kind: 'failed', message: messageOf(error) });
  };

  const submit = form.handleSubmit(async (buyer) => {
    if (pressed.current) return;
    pressed.current = true;
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
    try {
      const { data, transactionId } = await placeOrder(order, keyFor(order, Date.now()));
      keepOrder(transactionId, 'placed');
      location.assign(data.data.authorization_url);
    } catch (error) {
      refused(error);
    }
  });
  return { form, amount, sending, outcome, submit, dismiss: () => setOutcome(undefined) };
}

/** The goods that a refusal names. */
function namesOf(gone: unknown): readonly string[] {
  if (!Array.isArray(gone)) return [];
  return gone.map((one: unknown) =>
    typeof one === 'object' &&
    one !== null &&
    'prod_name' in one &&
    typeof one.prod_name === 'string'
      ? one.prod_name
      : unknownName,
  );
}
