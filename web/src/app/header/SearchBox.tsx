import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { SEARCH_PATH, searchAddress } from '../search-address.js';
import { SearchInput } from './SearchInput.js';

/** Marks an address that typing made: the box is ahead of it and must not be set back. */
const typed = { typed: true };

/**
 * The market's search. Each keystroke goes to the search page; further ones replace that entry, so Back leaves the
 * search in one step and restores what was typed there.
 */
export function SearchBox() {
  const navigate = useNavigate();
  const how = useNavigationType();
  const { pathname, search, state } = useLocation();
  const [text, setText] = useState('');
  const here = pathname === SEARCH_PATH;
  const byTyping = how !== 'POP' && state?.typed === true;

  useEffect(() => {
    if (pathname === '/') setText('');
    if (pathname === SEARCH_PATH && !byTyping)
      setText(new URLSearchParams(search).get('query') ?? '');
  }, [pathname, search, byTyping]);

  const seek = (query: string) => {
    setText(query);
    void navigate(searchAddress({ query }, here ? search : ''), { replace: here, state: typed });
  };
  const clear = () => {
    setText('');
    void navigate('/');
  };
  return (
    <SearchInput
      label="Search"
      placeholder="I am looking for..."
      value={text}
      onChange={seek}
      onClear={clear}
      onSubmit={() => seek(text)}
    />
  );
}
