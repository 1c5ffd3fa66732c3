import type { ComponentProps, MouseEvent } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useRouter } from '../../app/address.js';
import { Link, opensNewTab } from '../../ui/Link.js';

interface SearchLinkProps extends Omit<ComponentProps<typeof Link>, 'to' | 'state'> {
  /** The address, from the query string of the page it is on. */
  readonly to: (search: string) => string;
}

/**
 * A link that changes a part of the page's query. On a slow phone a letter that was typed just before is not rendered
 * yet; the router knows it, so a press builds the address anew.
 */
export function SearchLink({ to, onClick, ...rest }: SearchLinkProps) {
  const router = useRouter();
  const navigate = useNavigate();
  const { search } = useLocation();
  const { replace = false, preventScrollReset = false } = rest;
  const press = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const now = router.state.location.search;
    if (now === search || opensNewTab(event)) return;
    event.preventDefault();
    void navigate(to(now), { replace, preventScrollReset });
  };
  return <Link {...rest} to={to(search)} onClick={press} />;
}
