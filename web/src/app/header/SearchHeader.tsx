import { pagePaths } from '@oja/contracts/pages';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useUser } from '../../stores/session.js';
import { Link } from '../../ui/Link.js';
import { Logo } from '../../ui/Logo.js';
import * as layout from '../../ui/layout.module.css';
import { SEARCH_PATH, searchAddress, useRouter } from '../address.js';
import * as styles from './header.module.css';
import { OptionsMenu, VisitorMenu } from './OptionsMenu.js';
import { CartLink, DeliveryBell } from './PlainHeader.js';
import { SearchInput } from './SearchInput.js';
import { StickyHeader } from './StickyHeader.js';
import type { SuggestionsProps } from './Suggestions.js';

/** The header of the market: search and cart. */
export function SearchHeader() {
  const user = useUser();
  return (
    <StickyHeader>
      <Logo />
      <div className={styles.searchPlace}>
        <SearchBox />
      </div>
      {user === null && (
        <nav className={styles.accountLinks} aria-label="Account">
          <Link to={pagePaths.register}>Sell on Oja</Link>
          <Link to={pagePaths.login}>Log in</Link>
        </nav>
      )}
      {user !== null && (
        <div className={styles.atEnd}>
          <OptionsMenu user={user} />
        </div>
      )}
      <DeliveryBell />
      <CartLink />
      {user === null && (
        <div className={`${layout.onlyNarrow} ${styles.menuPlace}`}>
          <VisitorMenu />
        </div>
      )}
    </StickyHeader>
  );
}

/** The query string when the location is the search page, else undefined. */
const searchQueryAt = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>) =>
  pathname === SEARCH_PATH ? search : undefined;
const queryOf = (search: string | undefined) => new URLSearchParams(search).get('query') ?? '';

/** History state of addresses that typing made: the box is ahead of them and must not be set back. */
const TYPED_STATE = { typed: true };

/**
 * The market's search box. Each keystroke navigates to the search page. Back leaves that page in one step,
 * and coming back restores what was typed. On other pages the text stays, except on the home page, which
 * empties it.
 */
export function SearchBox() {
  const navigate = useNavigate();
  const router = useRouter();
  const here = useLocation();
  const [text, setText] = useState(() => queryOf(searchQueryAt(here)));

  // Subscribes to the router instead of the rendered location: Back may be pressed before the page that was
  // left is rendered, and then React never sees the location change.
  useEffect(() => {
    let at = router.state.location;
    return router.subscribe(({ location, historyAction }) => {
      if (location === at) return;
      at = location;
      const asked = searchQueryAt(location);
      if (location.pathname === pagePaths.home) setText('');
      else if (asked !== undefined && (historyAction === 'POP' || location.state?.typed !== true))
        setText(queryOf(asked));
    });
  }, [router]);

  const [Suggestions, setSuggestions] = useState<ComponentType<SuggestionsProps>>();
  /** Loads the suggestions on the first focus. If that chunk does not load, the box still searches. */
  const loadSuggestions = () => {
    import('./Suggestions.js').then(
      ({ default: Part }) => setSuggestions(() => Part),
      console.error,
    );
  };
  /**
   * Navigating to the search page takes longer than mounting the suggestions once their chunk is here, so
   * they need to know that typing led to the new page.
   */
  const hasTyped = useRef(false);
  const search = (query: string) => {
    hasTyped.current = true;
    setText(query);
    // The first keystroke adds a history entry. A navigation that has not arrived yet is replaced by the next
    // one without an entry.
    const asked = searchQueryAt(router.state.location);
    void navigate(searchAddress({ query }, asked), {
      replace: asked !== undefined,
      state: TYPED_STATE,
    });
    loadSuggestions();
  };
  const clear = () => {
    setText('');
    void navigate(pagePaths.home);
  };
  return (
    <SearchInput
      label="Search"
      action={SEARCH_PATH}
      placeholder="I am looking for..."
      value={text}
      onChange={search}
      onClear={clear}
      onSubmit={() => search(text)}
      onFocus={loadSuggestions}
    >
      {Suggestions && <Suggestions typed={text} isTyping={hasTyped.current} onSearch={search} />}
    </SearchInput>
  );
}
