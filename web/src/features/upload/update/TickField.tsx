import type { ReactNode } from 'react';
import { Checkbox } from '../../../ui/Checkbox.js';

interface TickFieldProps {
  readonly label: string;
  /** What it says now; shown while it is not being changed. */
  readonly now: string;
  readonly open: boolean;
  readonly onTick: () => void;
  /** The field itself. */
  readonly children: ReactNode;
}

/** A field that opens when it is ticked. */
export function TickField({ label, now, open, onTick, children }: TickFieldProps) {
  return (
    <div className="tick">
      <Checkbox checked={open} onChange={onTick}>
        <b>{label}</b>
        {!open && <span className="muted">{now === '' ? 'not said' : now}</span>}
      </Checkbox>
      {open && children}
    </div>
  );
}
