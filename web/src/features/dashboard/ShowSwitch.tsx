import { Link, useSearchParams } from 'react-router-dom';
import type { Show } from './own-filter.js';

interface ShowSwitchProps {
  readonly show: Show;
  readonly all: number;
  readonly off: number;
}

/** All, available, off: three ways to the same page. */
export function ShowSwitch({ show, all, off }: ShowSwitchProps) {
  const [params] = useSearchParams();
  const to = (next: Show) => {
    const address = new URLSearchParams(params);
    if (next === 'all') address.delete('show');
    else address.set('show', next);
    return `?${address}`;
  };
  const ways = [
    ['all', `All ${all}`],
    ['available', `Available ${all - off}`],
    ['off', `Off ${off}`],
  ] as const;
  return (
    <nav className="seg" aria-label="Which products">
      {ways.map(([way, words]) => (
        <Link
          key={way}
          to={to(way)}
          replace
          preventScrollReset
          aria-current={way === show || undefined}
        >
          {words}
        </Link>
      ))}
    </nav>
  );
}
