import { ALL_PLACES, states } from '@oja/domain/rules';
import { Check, ChevronDown, ChevronUp } from 'lucide-react';
import { useId, useState } from 'react';
import { Badge } from '../../ui/Badge.js';
import { Radio } from '../../ui/Checkbox.js';
import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/Icon.js';
import './places.css';

interface PlaceListProps {
  /** The chosen local government; undefined for all. */
  readonly chosen: string | undefined;
  readonly onChoose: (localGovt: string | undefined) => void;
  /** Radio buttons, among the filters beside a list, where the choice stays in sight. */
  readonly radios?: boolean;
}

/** All places, states with their local governments, one state open at a time, and what is coming soon. */
export function PlaceList({ chosen, onChoose, radios = false }: PlaceListProps) {
  const group = useId();
  const Choice = radios ? PlaceRadio : Place;
  const [open, setOpen] = useState<string | undefined>(
    () => states.find((state) => state.localGovts.some((name) => name === chosen))?.name,
  );
  return (
    <ul className="places">
      <li>
        <Choice
          name={ALL_PLACES}
          group={group}
          on={chosen === undefined}
          onChoose={() => onChoose(undefined)}
        />
      </li>
      {states.map(({ name, localGovts }) => (
        <li key={name}>
          <button
            type="button"
            aria-expanded={open === name}
            onClick={() => setOpen(open === name ? undefined : name)}
          >
            {name}
            <Icon of={open === name ? ChevronUp : ChevronDown} size="s" />
          </button>
          {open === name && (
            <ul className="lgs">
              {localGovts.map((place) => (
                <li key={place}>
                  <Choice
                    name={place}
                    group={group}
                    on={place === chosen}
                    onChoose={() => onChoose(place)}
                  />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
      <li className="row spread muted">
        Other States <Badge>Coming Soon!</Badge>
      </li>
    </ul>
  );
}

interface PlaceProps {
  readonly name: string;
  readonly group: string;
  readonly on: boolean;
  readonly onChoose: () => void;
}

function Place({ name, on, onChoose }: PlaceProps) {
  return (
    <button type="button" className={classes(on && 'on')} aria-pressed={on} onClick={onChoose}>
      {name}
      {on && <Icon of={Check} size="s" />}
    </button>
  );
}

function PlaceRadio({ name, group, on, onChoose }: PlaceProps) {
  return (
    <Radio name={group} checked={on} onChange={onChoose}>
      {name}
    </Radio>
  );
}
