import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { SEARCH_PATH } from '../search-address.js';
import { SearchInput } from './SearchInput.js';
import { useSearchTyping } from './use-search-typing.js';

const queryOf = (search: string) => new URLSearchParams(search).get('query') ?? '';

/**
 * The market's search. Each keystroke goes to the search page; Back leaves it in one step, and coming back restores
 * what was typed there. On other pages the text stays, but for home, where one starts anew.
 */
export function SearchBox() {
  const navigate = useNavigate();
  const how = useNavigationType();
  const { pathname, search, state } = useLocation();
  const [text, setText] = useState(() => (pathname === SEARCH_PATH ? queryOf(search) : ''));
  const go = useSearchTyping();
  const byTyping = how !== 'POP' && state?.typed === true;

  const isFirst = useRef(true);
  useEffect(() => {
    // The first address is in the box already, and so may be what was typed before the page came to life.
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    if (pathname === '/') setText('');
    if (pathname === SEARCH_PATH && !byTyping) setText(queryOf(search));
  }, [pathname, search, byTyping]);

  const seek = (query: string) => {
    setText(query);
    go(query);
  };
  const clear = () => {
    setText('');
    void navigate('/');
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
    />
  );
}
