import { pagePaths } from '@oja/contracts/pages';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { useUser } from '../../stores/session.js';
import { Logo } from '../../ui/Logo.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { SEARCH_PATH, searchAddress, useRouter } from '../address.js';
import * as styles from './header.module.css';
import { OptionsMenu, VisitorMenu } from './OptionsMenu.js';
import { CartLink, DeliveryBell } from './PlainHeader.js';
import { SearchInput } from './SearchInput.js';
import { StickyTop } from './StickyTop.js';
import type { SuggestionsProps } from './Suggestions.js';

/** Search plus cart: the header of the market. */
export function SearchHeader() {
  const user = useUser();
  return (
    <StickyTop>
      <Logo />
      <div className={styles.searchPlace}>
        <SearchBox />
      </div>
      {user === null && (
        <nav className={styles.accountLinks} aria-label="Account">
          <Link className={panelStyles.total} to={pagePaths.register}>
            Sell on Oja
          </Link>
          <Link className={panelStyles.total} to={pagePaths.login}>
            Log in
          </Link>
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
    </StickyTop>
  );
}

/** What the search page is asked, where that is where one is. */
const askedAt = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>) =>
  pathname === SEARCH_PATH ? search : undefined;
const queryOf = (asked: string | undefined) => new URLSearchParams(asked).get('query') ?? '';

/** Marks an address that typing made: the box is ahead of it and must not be set back. */
const typed = { typed: true };

/**
 * The market's search. Each keystroke goes to the search page; Back leaves it in one step, and coming back restores
 * what was typed there. On other pages the text stays, but for home, where one starts anew.
 */
export function SearchBox() {
  const navigate = useNavigate();
  const router = useRouter();
  const here = useLocation();
  const [text, setText] = useState(() => queryOf(askedAt(here)));

  // The router says where one has come to, not what is drawn: Back may come before the page that was left is drawn, and
  // to React one has then been where one is all the time.
  useEffect(() => {
    let at = router.state.location;
    return router.subscribe(({ location, historyAction }) => {
      if (location === at) return;
      at = location;
      const asked = askedAt(location);
      if (location.pathname === pagePaths.home) setText('');
      else if (asked !== undefined && (historyAction === 'POP' || location.state?.typed !== true))
        setText(queryOf(asked));
    });
  }, [router]);

  const [Suggestions, setSuggestions] = useState<ComponentType<SuggestionsProps>>();
  /** What may be meant is offered from the first focus on. Where that part does not come, the box searches without. */
  const wake = () => {
    import('./Suggestions.js').then((part) => setSuggestions(() => part.default), console.error);
  };
  /** Going to where it leads takes longer than that part, once it is here. */
  const hasTyped = useRef(false);
  const seek = (query: string) => {
    hasTyped.current = true;
    setText(query);
    // The first keystroke adds an entry to the history. One that has not arrived yet gives way to the next, unentered.
    const asked = askedAt(router.state.location);
    void navigate(searchAddress({ query }, asked), { replace: asked !== undefined, state: typed });
    wake();
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
      onChange={seek}
      onClear={clear}
      onSubmit={() => seek(text)}
      onFocus={wake}
    >
      {Suggestions && <Suggestions typed={text} isTyping={hasTyped.current} onSeek={seek} />}
    </SearchInput>
  );
}
