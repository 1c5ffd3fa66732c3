import { Minus, Plus } from 'lucide-react';
import { IconButton } from './Button.js';
import * as layout from './layout.module.css';
import * as styles from './Quantity.module.css';

interface QuantityProps {
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly min: number;
  readonly max: number;
  /** The product's name. */
  readonly of: string;
}

/** A quantity that is changed by one at a time. */
export function Quantity({ value, onChange, min, max, of }: QuantityProps) {
  return (
    <fieldset className={styles.quantity}>
      <legend className={layout.visuallyHidden}>Quantity of {of}</legend>
      <IconButton
        of={Minus}
        iconSize="s"
        label="Fewer"
        disabled={value <= min}
        onClick={() => onChange(value - 1)}
      />
      <b aria-live="polite">{value}</b>
      <IconButton
        of={Plus}
        iconSize="s"
        label="More"
        disabled={value >= max}
        onClick={() => onChange(value + 1)}
      />
    </fieldset>
  );
}
