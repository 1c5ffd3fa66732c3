import { useId } from 'react';
import { useAhead } from '../../ui/use-ahead.js';
import { type Sort, sorts } from './filters.js';

interface SortSelectProps {
  readonly value: Sort;
  readonly onChange: (sort: Sort) => Promise<void> | void;
}

/** By name, from either end of the alphabet. */
export function SortSelect(props: SortSelectProps) {
  const [value, onChange] = useAhead(props.value, props.onChange);
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
