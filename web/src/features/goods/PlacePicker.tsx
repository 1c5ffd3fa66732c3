import { MapPin } from 'lucide-react';
import { useState } from 'react';
import { Dialog } from '../../ui/Dialog.js';
import { Icon } from '../../ui/Icon.js';
import { PlaceList } from './PlaceList.js';
import { placeLabel } from './place-label.js';
import './places.css';

interface PlacePickerProps {
  readonly chosen: string | undefined;
  readonly onChoose: (localGovt: string | undefined) => void;
}

/** The location filter as one field: its label inside, the list in a dialog. */
export function PlacePicker({ chosen, onChoose }: PlacePickerProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="inp pick locpick"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon of={MapPin} />
        <span>
          <span className="l">Filter products by Location:</span>
          <b>{placeLabel(chosen)}</b>
        </span>
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Filter products by Location:">
        <PlaceList
          chosen={chosen}
          onChoose={(place) => {
            setOpen(false);
            onChoose(place);
          }}
        />
      </Dialog>
    </>
  );
}
