import { formatNaira, nairaToKobo } from '@oja/domain/rules';
import { classes } from './classes.js';
import * as styles from './Price.module.css';

/** A count with its noun: '1 product', '1,234 products'. */
export const formatCount = (count: number, one: string): string =>
  `${count.toLocaleString('en-NG')} ${one}${count === 1 ? '' : 's'}`;

/** A price as text: '₦11,500'. @param amount in naira */
export const formatAmount = (amount: number): string => formatNaira(nairaToKobo(amount));

interface NairaProps {
  /** In naira; kobo as decimals. */
  readonly amount: number;
}

/** An amount with the naira sign; kobo are shown only when they are not 0. */
export function Naira({ amount }: NairaProps) {
  return (
    <span className={styles.naira}>
      <span className={styles.nairaSign}>₦</span>
      {formatAmount(amount).slice(1)}
    </span>
  );
}

interface PriceProps extends NairaProps {
  /** mid: bars and totals; big: the product page. */
  readonly size?: 'mid' | 'big';
  readonly as?: 'p' | 'span' | 'dd';
  readonly className?: string | undefined;
}

/** A price in tabular figures. */
export function Price({ amount, size, as: Tag = 'p', className }: PriceProps) {
  return (
    <Tag
      className={classes(
        styles.price,
        size === 'mid' && styles.middle,
        size === 'big' && styles.big,
        className,
      )}
    >
      <Naira amount={amount} />
    </Tag>
  );
}
