import { useId } from 'react';
import { type Sort, sorts } from './filters.js';

interface SortSelectProps {
  readonly value: Sort;
  readonly onChange: (sort: Sort) => void;
}

/** By name, from either end of the alphabet. */
export function SortSelect({ value, onChange }: SortSelectProps) {
  const id = useId();
  return (
    <>
      <label className="vh" htmlFor={id}>
        Sort
      </label>
      <select
        id={id}
        className="inp sortby"
        value={value}
        onChange={(event) => {
          const chosen = sorts.find((sort) => sort === event.target.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {sorts.map((sort) => (
          <option key={sort}>{sort}</option>
        ))}
      </select>
    </>
  );
}
