import { ALL_PLACES, stateOf } from '@oja/domain/rules';
import { MapPin } from 'lucide-react';
import { useEffect } from 'react';
import * as fieldStyles from '../../ui/Field.module.css';
import { Icon } from '../../ui/Icon.js';
import { useLazyDialog } from '../../ui/lazy.js';
import { useAfterPaint } from '../../ui/use-browser.js';
import * as styles from './PlacePicker.module.css';

const load = () => import('./PlaceDialog.js');

/** The text of the location filter: '{state} state/{local government} LG', or that of all places. */
export function placeLabel(localGovt: string | undefined): string {
  if (localGovt === undefined) return ALL_PLACES;
  const state = stateOf(localGovt);
  return state === null ? localGovt : `${state} state/${localGovt} LG`;
}

interface PlacePickerProps {
  readonly chosen: string | undefined;
  readonly onChoose: (localGovt: string | undefined) => void;
}

/**
 * The location filter as one field with its label inside. It opens the list in a dialog, whose code is loaded
 * once the page is shown.
 */
export function PlacePicker({ chosen, onChoose }: PlacePickerProps) {
  const { Opened: PlaceDialog, open, close } = useLazyDialog(load);
  const painted = useAfterPaint();
  // Ahead of the press. If it does not load now, the press tries again.
  useEffect(() => {
    if (painted) load().catch(console.error);
  }, [painted]);
  return (
    <>
      <button
        type="button"
        className={`${fieldStyles.control} ${fieldStyles.picker} ${styles.button}`}
        aria-haspopup="dialog"
        onClick={open}
      >
        <Icon of={MapPin} />
        <span>
          <span className={styles.label}>Filter products by Location:</span>
          <b>{placeLabel(chosen)}</b>
        </span>
      </button>
      {PlaceDialog && (
        <PlaceDialog
          onClose={close}
          chosen={chosen}
          onChoose={(place) => {
            close();
            onChoose(place);
          }}
        />
      )}
    </>
  );
}
