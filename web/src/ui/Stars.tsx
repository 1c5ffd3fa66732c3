import { Star } from 'lucide-react';
import '../styles/parts/stars.css';

/** So many of five stars. */
export function Stars({ count }: { readonly count: number }) {
  return (
    <span className="stars" role="img" aria-label={`${count} of 5 stars`}>
      {[1, 2, 3, 4, 5].map((place) => (
        <Star key={place} className={place > count ? 'o' : undefined} aria-hidden="true" />
      ))}
    </span>
  );
}
