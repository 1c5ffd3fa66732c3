import { ALL_PLACES, states } from '@oja/domain/rules';
import { Check, ChevronDown, ChevronUp } from 'lucide-react';
import { useId, useState } from 'react';
import { Badge } from '../../ui/Badge.js';
import { Radio } from '../../ui/Checkbox.js';
import { classes } from '../../ui/classes.js';
import { Dialog } from '../../ui/Dialog.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import * as styles from './PlaceDialog.module.css';

interface PlaceDialogProps extends Pick<PlaceListProps, 'chosen' | 'onChoose'> {
  readonly onClose: () => void;
}

/** The list of places as a dialog. */
export default function PlaceDialog({ onClose, ...list }: PlaceDialogProps) {
  return (
    <Dialog open onClose={onClose} title="Filter products by Location:">
      <PlaceList {...list} />
    </Dialog>
  );
}

interface PlaceListProps {
  /** The chosen local government; undefined for all places. */
  readonly chosen: string | undefined;
  readonly onChoose: (localGovt: string | undefined) => void;
  /** Use radio buttons: for the filters beside a list, where the choice stays in view. */
  readonly radios?: boolean;
}

/** All places: states with their local governments, one state open at a time, and what is coming soon. */
export function PlaceList({ chosen, onChoose, radios = false }: PlaceListProps) {
  const group = useId();
  const Choice = radios ? PlaceRadio : PlaceButton;
  const [open, setOpen] = useState<string | undefined>(
    () => states.find((state) => state.localGovts.some((name) => name === chosen))?.name,
  );
  return (
    <ul className={styles.states}>
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
            <ul className={styles.localGovernments}>
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
      <li className={`${layout.row} ${layout.spaceBetween} ${layout.muted}`}>
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

function PlaceButton({ name, on, onChoose }: PlaceProps) {
  return (
    <button
      type="button"
      className={classes(on && styles.chosen)}
      aria-pressed={on}
      onClick={onChoose}
    >
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
