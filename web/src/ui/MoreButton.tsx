import { type ComponentProps, useRef } from 'react';
import { Button } from './Button.js';
import { useFocusOnNew } from './focus.js';
import * as layout from './layout.module.css';
import { type PagedQuery, useNextPage } from './use-next-page.js';

interface MoreButtonProps extends Pick<ComponentProps<typeof Button>, 'busy' | 'children'> {
  readonly onClick: () => void;
}

/** The button below a list that shows more. */
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

interface NextPageButtonProps extends Pick<MoreButtonProps, 'children'> {
  readonly list: PagedQuery & { readonly hasNextPage: boolean };
}

/** The button below a list that is read page by page, for as long as there is another page. */
export function NextPageButton({ list, children }: NextPageButtonProps) {
  const { busy, more } = useNextPage(list);
  if (!list.hasNextPage) return null;
  return (
    <MoreButton busy={busy} onClick={more}>
      {children}
    </MoreButton>
  );
}
