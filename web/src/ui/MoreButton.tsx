import type { ComponentProps } from 'react';
import { Button } from './Button.js';
import * as layout from './layout.module.css';

/** The button below a list that loads or shows more. */
export function MoreButton(
  props: Pick<ComponentProps<typeof Button>, 'busy' | 'onClick' | 'children'>,
) {
  return (
    <p className={`${layout.centered} ${layout.moreBelow}`}>
      <Button look="line" {...props} />
    </p>
  );
}
