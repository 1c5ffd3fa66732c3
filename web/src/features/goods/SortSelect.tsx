import { useEffect, useEffectEvent, useId, useRef } from 'react';
import * as fieldStyles from '../../ui/Field.module.css';
import * as layout from '../../ui/layout.module.css';
import { type SortOrder, sortOrders } from './filters.js';
import * as styles from './SortSelect.module.css';

interface SortSelectProps {
  readonly value: SortOrder;
  readonly onChange: (sort: SortOrder) => void;
}

const sortLabels: Readonly<Partial<Record<SortOrder, string>>> = {
  newest: 'Newest',
  cheapest: 'Lowest price',
  dearest: 'Highest price',
};

/** Sorts by name in either direction, by age, or by price. */
export function SortSelect({ value, onChange }: SortSelectProps) {
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  const choose = (chosen: string | undefined) => {
    const sort = sortOrders.find((one) => one === chosen);
    if (sort !== undefined && sort !== value) onChange(sort);
  };
  // What was chosen before hydration counts: React takes no notice of it.
  const takeChosen = useEffectEvent(() => choose(select.current?.value));
  useEffect(() => takeChosen(), []);
  return (
    <>
      <label className={layout.visuallyHidden} htmlFor={id}>
        Sort
      </label>
      <select
        id={id}
        ref={select}
        // Going back, the browser would put in what was chosen later.
        autoComplete="off"
        className={`${fieldStyles.control} ${styles.select}`}
        value={value}
        onChange={(event) => choose(event.target.value)}
      >
        {sortOrders.map((sort) => (
          <option key={sort} value={sort}>
            {sortLabels[sort] ?? sort}
          </option>
        ))}
      </select>
    </>
  );
}
