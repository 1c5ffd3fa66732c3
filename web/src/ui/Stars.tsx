import { Star } from 'lucide-react';
import * as styles from './Stars.module.css';

/** A rating of five stars. */
export function Stars({ count }: { readonly count: number }) {
  return (
    <span className={styles.stars} role="img" aria-label={`${count} of 5 stars`}>
      {[1, 2, 3, 4, 5].map((place) => (
        <Star
          key={place}
          className={place > count ? styles.hollow : undefined}
          aria-hidden="true"
        />
      ))}
    </span>
  );
}
