import { useId } from 'react';
import { Link } from 'react-router-dom';

export interface Shelf {
  readonly name: string;
  readonly to: string;
  /** Number of ads; undefined while it is not known. */
  readonly count: number | undefined;
  readonly here: boolean;
}

/** How one goes to another shelf from where its links stand. */
export interface ShelfWay {
  /** Whether going takes the place of the last step of the history. */
  readonly replace: boolean;
  readonly onGo?: () => void;
}

interface ShelfLinksProps extends ShelfWay {
  readonly title: string;
  readonly shelves: readonly Shelf[];
}

/** Categories or subcategories with their number of ads: the first of the filters. */
export function ShelfLinks({ title, shelves, replace, onGo }: ShelfLinksProps) {
  const id = useId();
  return (
    <section className="fs" aria-labelledby={id}>
      <h2 id={id} className="fstitle">
        {title}
      </h2>
      <ul className="cl">
        {shelves.map(({ name, to, count, here }) => (
          <li key={name}>
            <Link
              to={to}
              replace={replace}
              preventScrollReset
              aria-current={here || undefined}
              onClick={onGo}
            >
              <span>{name}</span>
              {count !== undefined && (
                <span className="num">
                  {count.toLocaleString('en-NG')}
                  <span className="vh"> {count === 1 ? 'ad' : 'ads'}</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
