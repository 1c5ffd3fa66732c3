import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/Button.js';
import { Dialog } from '../../ui/Dialog.js';
import { Icon } from '../../ui/Icon.js';

interface FilterDrawerProps {
  /** How many filters are set. */
  readonly set: number;
  /** How many goods the filters find; undefined while that is being asked. */
  readonly total: number | undefined;
  readonly onOpen: () => void;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

interface FilterDrawerButtonProps {
  readonly set: number;
  readonly onClick?: () => void;
  readonly className?: string;
}

export function FilterDrawerButton({ set, ...rest }: FilterDrawerButtonProps) {
  return (
    <Button look="line" size="s" aria-haspopup="dialog" {...rest}>
      <Icon of={SlidersHorizontal} size="s" />
      Filters
      {set > 0 && (
        <span className="badge ind setcount">
          {set}
          <span className="vh"> set</span>
        </span>
      )}
    </Button>
  );
}

/** On phones the filters fill the screen; what they find is counted at the foot. */
export function FilterDrawer({ set, total, onOpen, onClear, children }: FilterDrawerProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <FilterDrawerButton
        set={set}
        onClick={() => {
          onOpen();
          setOpen(true);
        }}
      />
      <Dialog
        full
        open={open}
        onClose={close}
        title="Filters"
        headAction={
          <Button look="ghost" size="s" onClick={onClear}>
            Clear
          </Button>
        }
        foot={
          <Button full onClick={close}>
            {total === undefined
              ? 'Show results'
              : `Show ${total.toLocaleString('en-NG')} ${total === 1 ? 'result' : 'results'}`}
          </Button>
        }
      >
        {children}
      </Dialog>
    </>
  );
}
