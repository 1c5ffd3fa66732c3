import { priceSlider } from '@oja/domain/rules';
import { type ReactNode, useId } from 'react';
import { Radio } from '../../ui/Checkbox.js';
import { RangeSlider } from '../../ui/RangeSlider.js';
import type { GoodsFilters } from './filters.js';
import { PlaceList } from './PlaceList.js';

interface FilterGroupsProps {
  readonly filters: GoodsFilters;
  readonly onFilters: (next: GoodsFilters) => void;
  /** The first group: categories, or what lies beside this subcategory. */
  readonly children: ReactNode;
}

const conditionWords = [
  ['New', 'New'],
  ['Used', 'Used'],
  ['all', 'New and Used'],
] as const;

/** Category, price, location and condition: in the sidebar, and in the drawer of phones. */
export function FilterGroups({ filters, onFilters, children }: FilterGroupsProps) {
  const group = useId();
  return (
    <>
      {children}
      <fieldset className="fs">
        <legend>Price</legend>
        <RangeSlider
          {...priceSlider}
          value={filters.prices}
          onCommit={(prices) => onFilters({ ...filters, prices })}
        />
      </fieldset>
      <fieldset className="fs">
        <legend>Location</legend>
        <PlaceList
          radios
          chosen={filters.localGovt}
          onChoose={(localGovt) => onFilters({ ...filters, localGovt })}
        />
      </fieldset>
      <fieldset className="fs">
        <legend>Condition</legend>
        {conditionWords.map(([condition, words]) => (
          <Radio
            key={condition}
            name={group}
            checked={filters.condition === condition}
            onChange={() => onFilters({ ...filters, condition })}
          >
            {words}
          </Radio>
        ))}
      </fieldset>
    </>
  );
}
