import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ComponentProps, useRef } from 'react';
import { type PagedQuery, useNextPage } from '../api/pagination.js';
import { Button } from './Button.js';
import { useFocusNewItems } from './focus.js';
import * as layout from './layout.module.css';

interface MoreButtonProps extends Pick<ComponentProps<typeof Button>, 'busy' | 'children'> {
  readonly failed?: boolean;
  readonly onClick: () => void;
}

/** The button below a list that shows more. */
export function MoreButton({ onClick, failed, ...props }: MoreButtonProps) {
  const place = useRef<HTMLDivElement>(null);
  const note = useFocusNewItems(place);
  const press = () => {
    note();
    onClick();
  };
  return (
    <div ref={place} className={`${layout.centered} ${layout.moreBelow}`}>
      {failed && (
        <p className={layout.muted} role="alert">
          Older ones did not load.
        </p>
      )}
      <Button look="line" {...props} onFocus={note} onClick={press} />
    </div>
  );
}

interface NextPageButtonProps extends Pick<MoreButtonProps, 'children'> {
  readonly list: PagedQuery & Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchNextPageError'>;
}

/** The button below a list that is read page by page from the newest on, for as long as there is another page. */
export function NextPageButton({ list, children }: NextPageButtonProps) {
  const { busy, more } = useNextPage(list);
  if (!list.hasNextPage) return null;
  return (
    // Said anew when another try fails too.
    <MoreButton busy={busy} failed={list.isFetchNextPageError && !busy} onClick={more}>
      {children}
    </MoreButton>
  );
}
