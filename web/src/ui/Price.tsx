import { formatNaira, nairaToKobo } from '@oja/domain/rules';
import { classes } from './classes.js';

interface NairaProps {
  /** In naira; kobo as decimals. */
  readonly amount: number;
}

/** A figure with its naira sign, kobo only where there are kobo. */
export function Naira({ amount }: NairaProps) {
  return (
    <>
      <span className="n">₦</span>
      {formatNaira(nairaToKobo(amount)).slice(1)}
    </>
  );
}

interface PriceProps extends NairaProps {
  /** mid: bars and totals; big: the product page. */
  readonly size?: 'mid' | 'big';
  readonly as?: 'p' | 'span' | 'dd';
  readonly className?: string;
}

/** A price in tabular figures. */
export function Price({ amount, size, as: Tag = 'p', className }: PriceProps) {
  return (
    <Tag className={classes('price', size, className)}>
      <Naira amount={amount} />
    </Tag>
  );
}
