import { pagePaths } from '@oja/contracts/pages';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { useUser } from '../../stores/session.js';
import { Logo } from '../../ui/Logo.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { SEARCH_PATH, searchAddress } from '../address.js';
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

/**
 * The market's search. Each keystroke goes to the search page; Back leaves it in one step, and coming back restores
 * what was typed there. On other pages the text stays, but for home, where one starts anew.
 */
export function SearchBox() {
  const navigate = useNavigate();
  const how = useNavigationType();
  const here = useLocation();
  const [text, setText] = useState(() => queryOf(askedAt(here)));
  const go = useSearchTyping();
  const { pathname } = here;
  const asked = askedAt(here);
  const byTyping = how !== 'POP' && here.state?.typed === true;

  const isFirst = useRef(true);
  useEffect(() => {
    // The first address is in the box already, and so may be what was typed before the page came to life.
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    if (pathname === '/') setText('');
    if (asked !== undefined && !byTyping) setText(queryOf(asked));
  }, [pathname, asked, byTyping]);
  useBack(() => {
    if (location.pathname === '/') setText('');
  });

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
    go(query);
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
      {Suggestions && (
        <Suggestions typed={text} isTyping={byTyping || hasTyped.current} onSeek={seek} />
      )}
    </SearchInput>
  );
}

/** Marks an address that typing made: the box is ahead of it and must not be set back. */
const typed = { typed: true };

/**
 * Goes to the search page with what is typed: the first keystroke adds an entry to the history, further ones replace
 * it. Typing may be faster than going, so one step is finished before the next is taken, which then takes the newest
 * text; otherwise a second entry would slip in.
 */
function useSearchTyping(): (query: string) => void {
  const navigate = useNavigate();
  const asked = askedAt(useLocation());
  const at = useRef(asked);
  const wanted = useRef<string>(undefined);
  const going = useRef(false);

  useEffect(() => {
    at.current = asked;
  }, [asked]);
  useBack(() => {
    at.current = askedAt(location);
  });

  const go = async () => {
    going.current = true;
    while (wanted.current !== undefined) {
      const query = wanted.current;
      wanted.current = undefined;
      const address = searchAddress({ query }, at.current);
      await navigate(address, { replace: at.current !== undefined, state: typed });
      at.current = address.slice(SEARCH_PATH.length);
    }
    going.current = false;
  };
  return (query) => {
    wanted.current = query;
    if (!going.current) void go();
  };
}

/**
 * Runs when Back or Forward was pressed, once the address is what it was. That may be before the page that was left is
 * drawn: to React one has then been where one is all the time.
 */
function useBack(then: () => void): void {
  useEffect(() => {
    addEventListener('popstate', then);
    return () => removeEventListener('popstate', then);
  });
}
