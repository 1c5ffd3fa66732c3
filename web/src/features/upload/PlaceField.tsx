import { states } from '@oja/domain/rules';
import { MapPin } from 'lucide-react';
import { useState } from 'react';
import { Dialog } from '../../ui/Dialog.js';
import { Message } from '../../ui/Field.js';
import { placeLabel } from '../goods/place-label.js';
import { PickField } from './PickField.js';
import { PickList } from './PickList.js';

interface PlaceFieldProps {
  readonly localGovt: string | null;
  readonly error: string | undefined;
  readonly onPick: (state: string, localGovt: string) => void;
}

/** States, then local government, in one dialog. */
export function PlaceField({ localGovt, error, onPick }: PlaceFieldProps) {
  const [open, setOpen] = useState(false);
  const [level, setLevel] = useState<string>();
  const state = states.find(({ name }) => name === level);
  const holding = states.find(({ localGovts }) => localGovts.some((name) => name === localGovt));

  const show = () => {
    setLevel(undefined);
    setOpen(true);
  };
  return (
    <>
      <PickField
        label="State and Local Govt"
        icon={MapPin}
        chosen={localGovt === null ? undefined : placeLabel(localGovt)}
        error={error}
        onOpen={show}
      />
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={state?.name ?? 'State'}
        {...(state && { onBack: () => setLevel(undefined) })}
      >
        {state === undefined ? (
          <>
            <PickList
              names={states.map(({ name }) => name)}
              chosen={holding?.name}
              onPick={setLevel}
              leadsOn
            />
            <Message kind="hint" className="picknote">
              Other States: Coming Soon!
            </Message>
          </>
        ) : (
          <PickList
            names={state.localGovts}
            chosen={localGovt ?? undefined}
            onPick={(name) => {
              onPick(state.name, name);
              setOpen(false);
            }}
          />
        )}
      </Dialog>
    </>
  );
}
