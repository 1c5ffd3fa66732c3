import { ALL_PLACES, states } from '@oja/domain/rules';
import { Check, ChevronDown, ChevronUp } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../ui/Badge.js';
import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/Icon.js';
import './places.css';

interface PlaceListProps {
  /** The chosen local government; undefined for all. */
  readonly chosen: string | undefined;
  readonly onChoose: (localGovt: string | undefined) => void;
}

/** All places, states with their local governments, one state open at a time, and what is coming soon. */
export function PlaceList({ chosen, onChoose }: PlaceListProps) {
  const [open, setOpen] = useState<string | undefined>(
    () => states.find((state) => state.localGovts.some((name) => name === chosen))?.name,
  );
  return (
    <ul className="places">
      <li>
        <Place name={ALL_PLACES} on={chosen === undefined} onChoose={() => onChoose(undefined)} />
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
                  <Place name={place} on={place === chosen} onChoose={() => onChoose(place)} />
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

function Place({
  name,
  on,
  onChoose,
}: {
  readonly name: string;
  readonly on: boolean;
  readonly onChoose: () => void;
}) {
  return (
    <button type="button" className={classes(on && 'on')} aria-pressed={on} onClick={onChoose}>
      {name}
      {on && <Icon of={Check} size="s" />}
    </button>
  );
}
