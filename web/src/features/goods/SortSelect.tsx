import { useId } from 'react';
import * as fieldStyles from '../../ui/Field.module.css';
import * as layout from '../../ui/layout.module.css';
import { type Sort, sorts } from './filters.js';
import * as styles from './SortSelect.module.css';

interface SortSelectProps {
  readonly value: Sort;
  readonly onChange: (sort: Sort) => void;
}

const words: Readonly<Partial<Record<Sort, string>>> = {
  newest: 'Newest',
  cheapest: 'Lowest price',
  dearest: 'Highest price',
};

/** Sorts by name in either direction, by age, or by price. */
export function SortSelect({ value, onChange }: SortSelectProps) {
  const id = useId();
  return (
    <>
      <label className={layout.visuallyHidden} htmlFor={id}>
        Sort
      </label>
      <select
        id={id}
        className={`${fieldStyles.control} ${styles.select}`}
        value={value}
        onChange={(event) => {
          const chosen = sorts.find((sort) => sort === event.target.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {sorts.map((sort) => (
          <option key={sort} value={sort}>
            {words[sort] ?? sort}
          </option>
        ))}
      </select>
    </>
  );
}
