import { type ComponentProps, useRef } from 'react';
import { Button } from './Button.js';
import { useFocusOnNew } from './focus.js';
import * as layout from './layout.module.css';

interface MoreButtonProps extends Pick<ComponentProps<typeof Button>, 'busy' | 'children'> {
  readonly onClick: () => void;
}

/** The button below a list that loads or shows more. */
export function MoreButton({ onClick, ...props }: MoreButtonProps) {
  const place = useRef<HTMLParagraphElement>(null);
  const note = useFocusOnNew(place);
  const press = () => {
    note();
    onClick();
  };
  return (
    <p ref={place} className={`${layout.centered} ${layout.moreBelow}`}>
      <Button look="line" {...props} onFocus={note} onClick={press} />
    </p>
  );
}
