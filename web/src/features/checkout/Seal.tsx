import type { LucideIcon } from 'lucide-react';
import { Cloth } from '../../ui/Cloth.js';
import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/Icon.js';
import './checkout.css';

interface SealProps {
  readonly of: LucideIcon;
  /** safe: the money is. wait: not known yet. bad: it did not come. */
  readonly tone?: 'safe' | 'wait' | 'bad';
}

/** The seal on cloth above what became of an order. */
export function Seal({ of, tone = 'safe' }: SealProps) {
  return (
    <Cloth as="span" motif="moon" className={classes('seal', tone !== 'safe' && tone)}>
      <Icon of={of} />
    </Cloth>
  );
}
