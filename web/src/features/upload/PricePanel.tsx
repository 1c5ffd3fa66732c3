import { type PriceKind, UPDATE_RAISE_PERCENT, UPLOAD_RAISE_PERCENT } from '@oja/domain/rules';
import { ShieldCheck } from 'lucide-react';
import { type ChangeEvent, useLayoutEffect, useRef, useState } from 'react';
import * as escrowNoticeStyles from '../../ui/EscrowNotice.module.css';
import { Field } from '../../ui/Field.js';
import * as fieldStyles from '../../ui/Field.module.css';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { Naira, Price } from '../../ui/Price.js';
import {
  caretAfterDigits,
  formatTypedPrice,
  isWholeNaira,
  priceAfterKey,
  priceAfterPaste,
  type TypedPrice,
} from '../../ui/typed-price.js';
import { parsePrice, priceProblem, splitPrice } from './fields.js';
import * as styles from './PricePanel.module.css';

interface PriceInputProps {
  /** Digits only, or what was typed instead of a price. */
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Whether a key changed the field, so that it holds the shown figure. Otherwise it was pasted or autofilled. */
function isKeystroke({ nativeEvent }: ChangeEvent<HTMLInputElement>): boolean {
  if (!(nativeEvent instanceof InputEvent)) return false;
  return /^(insertText|insertCompositionText|delete)/.test(nativeEvent.inputType);
}

/**
 * The price the seller wants, grouped while it is typed. The caret stays behind the digit just typed. What is no price
 * stays as it was typed, and is called wrong once the field is left.
 */
export function PriceInput({ value, error, onChange }: PriceInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<TypedPrice>({ value, kobo: '' });
  const [hasLeftField, setHasLeftField] = useState(false);
  const kobo = typed.value === value ? typed.kobo : '';
  const shown = formatTypedPrice({ value, kobo });
  const wrong = hasLeftField && !isWholeNaira(value) ? priceProblem(value).price : undefined;
  /** The number of digits before the caret, to restore its place after the commas moved. */
  const digitsBeforeCaret = useRef<number>(null);
  useLayoutEffect(() => {
    if (digitsBeforeCaret.current === null) return;
    const at = caretAfterDigits(shown, digitsBeforeCaret.current);
    digitsBeforeCaret.current = null;
    input.current?.setSelectionRange(at, at);
  });
  return (
    <Field
      label="Your price"
      required
      error={error ?? wrong}
      control={(control) => (
        <div className={`${fieldStyles.withSign} ${styles.naira}`}>
          <span className={styles.nairaSign} aria-hidden="true">
            ₦
          </span>
          <input
            {...control}
            ref={input}
            className={`${fieldStyles.control} ${layout.figures} ${styles.price}`}
            name="price"
            inputMode="numeric"
            autoComplete="off"
            value={shown}
            onBlur={() => {
              setTyped({ value, kobo: isWholeNaira(value) ? '' : kobo });
              setHasLeftField(true);
            }}
            onChange={(event) => {
              const { value: text, selectionStart } = event.target;
              const next = isKeystroke(event) ? priceAfterKey(text, kobo) : priceAfterPaste(text);
              const caret = selectionStart ?? text.length;
              if (formatTypedPrice(next) !== text)
                digitsBeforeCaret.current =
                  caret === text.length
                    ? Number.POSITIVE_INFINITY
                    : text.slice(0, caret).replace(/\D/g, '').length;
              setTyped(next);
              onChange(next.value);
            }}
          />
        </div>
      )}
    />
  );
}

const percents: Readonly<Record<PriceKind, number>> = {
  upload: UPLOAD_RAISE_PERCENT,
  update: UPDATE_RAISE_PERCENT,
};

/** What the seller receives, what Oja adds and what shoppers pay, updated while the price is typed. */
export function PriceSplit({
  value,
  kind,
}: {
  /** Of the price field. */
  readonly value: string;
  readonly kind: PriceKind;
}) {
  const { receives, added, pays } = splitPrice(parsePrice(value) ?? 0, kind);
  return (
    <>
      <dl className={styles.split}>
        <div>
          <dt>You receive</dt>
          <Price as="dd" size="mid" amount={receives} className={styles.receives} />
        </div>
        <div>
          <dt>Oja adds {percents[kind]} %</dt>
          <Price as="dd" amount={added} />
        </div>
        <div className={styles.total}>
          <dt>Shoppers pay</dt>
          <Price as="dd" size="mid" amount={pays} />
        </div>
      </dl>
      <div className={escrowNoticeStyles.notice}>
        <Icon of={ShieldCheck} />
        <p>
          The buyer's money is held first.{' '}
          {receives === 0 ? (
            'You are paid when they confirm delivery.'
          ) : (
            <>
              You are paid <Naira amount={receives} /> when they confirm delivery.
            </>
          )}
        </p>
      </div>
    </>
  );
}
