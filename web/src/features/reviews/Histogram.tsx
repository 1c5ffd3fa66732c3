import { useQuery } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { ratingsQuery } from '../../api/reviews.js';
import { Icon } from '../../ui/Icon.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { Stars } from '../../ui/Stars.js';
import { ErrorState } from '../../ui/States.js';
import { histogram, summary } from './stars.js';

/** How the market is rated: the mean, and how often each number of stars was given. */
export function Histogram() {
  const { data, isError, refetch } = useQuery(ratingsQuery);
  if (isError && data === undefined) return <ErrorState panel onRetry={() => void refetch()} />;
  if (data === undefined)
    return (
      <section className="panel" aria-busy="true">
        <Skeleton height={48} />
        <Skeleton className="sk-hist" height={124} />
      </section>
    );
  const { count, mean } = summary(data);
  return (
    <section className="panel" aria-label="Ratings">
      <div className="row mean">
        {mean !== undefined && <p className="num">{mean.toFixed(1)}</p>}
        <div>
          {mean !== undefined && <Stars count={Math.round(mean)} />}
          <p className="muted small num">
            {count === 1 ? '1 rating' : `${count.toLocaleString('en-NG')} ratings`}
          </p>
        </div>
      </div>
      <ul className="hist">
        {histogram(data).map((row) => (
          <li key={row.stars}>
            <span className="num" aria-hidden="true">
              {row.stars}
            </span>
            <Icon of={Star} size="xs" />
            <i style={{ width: row.width }} />
            <span className="vh">{row.stars === 1 ? '1 star:' : `${row.stars} stars:`}</span>
            <span className="num muted">{row.count.toLocaleString('en-NG')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
