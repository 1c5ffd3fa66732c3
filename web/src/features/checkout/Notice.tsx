import { formatNaira, type Kobo } from '@oja/domain/rules';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { ButtonLink } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';

/** Something to know before the form is sent again; said to readers, and moved to, when it appears. */
function Notice({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  // On phones it stands above what is in sight when Submit is pressed.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={box} className="notice" role="alert">
      <Icon of={CircleAlert} />
      <div>
        <b>{title}</b>
        {children}
      </div>
    </div>
  );
}

export function AmountChanged({ amount }: { readonly amount: Kobo }) {
  return (
    <Notice title="The total has changed">
      <p>
        A price changed while you were shopping. The total is now <b>{formatNaira(amount)}</b>.
        Press Submit to pay it.
      </p>
    </Notice>
  );
}

export function GoodsGone({ names }: { readonly names: readonly string[] }) {
  return (
    <Notice
      title={names.length === 1 ? 'One product is gone' : `${names.length} products are gone`}
    >
      <p>
        No longer available: {names.join(', ')}. Take it out of the cart to go on with the rest.
      </p>
      <ButtonLink look="line" size="s" to="/cart-contents/multiple-order">
        Back to the cart
      </ButtonLink>
    </Notice>
  );
}
