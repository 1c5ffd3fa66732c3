import { type LucideIcon, Minus, Plus } from 'lucide-react';
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
      <Step of={Minus} label="Fewer" isAtEnd={value <= min} onPress={() => onChange(value - 1)} />
      <b aria-live="polite">{value}</b>
      <Step of={Plus} label="More" isAtEnd={value >= max} onPress={() => onChange(value + 1)} />
    </fieldset>
  );
}

interface StepProps {
  readonly of: LucideIcon;
  readonly label: string;
  /** The quantity goes no further. The button keeps the focus, which a disabled one would lose. */
  readonly isAtEnd: boolean;
  readonly onPress: () => void;
}

const Step = ({ of, label, isAtEnd, onPress }: StepProps) => (
  <IconButton
    of={of}
    iconSize="s"
    label={label}
    aria-disabled={isAtEnd || undefined}
    onClick={() => isAtEnd || onPress()}
  />
);
