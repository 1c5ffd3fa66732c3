import { X } from 'lucide-react';
import { focusHeading } from '../../app/use-route-focus.js';
import { Icon } from '../../ui/Icon.js';
import { type GoodsFilters, setFilters } from './filters.js';

interface FilterChipsProps {
  readonly filters: GoodsFilters;
  readonly onFilters: (next: GoodsFilters) => void;
}

/** What is set, each removable. */
export function FilterChips({ filters, onFilters }: FilterChipsProps) {
  const chips = setFilters(filters);
  if (chips.length === 0) return null;
  return (
    <ul className="chips" aria-label="Filters that are set">
      {chips.map(({ label, without }) => (
        <li key={label}>
          <button
            type="button"
            className="chip on num"
            onClick={() => {
              onFilters(without);
              focusHeading();
            }}
          >
            {label}
            <span className="vh">, remove</span>
            <Icon of={X} size="xs" />
          </button>
        </li>
      ))}
    </ul>
  );
}
