import type { LucideIcon } from 'lucide-react';
import { useId } from 'react';
import { Message } from '../../ui/Field.js';
import { Icon } from '../../ui/Icon.js';

interface PickFieldProps {
  readonly label: string;
  readonly icon: LucideIcon;
  /** What was chosen; undefined while nothing is. */
  readonly chosen: string | undefined;
  readonly error: string | undefined;
  readonly onOpen: () => void;
}

/** A field whose value is chosen in a dialog. */
export function PickField({ label, icon, chosen, error, onOpen }: PickFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <span className="lab" id={`${id}-label`}>
        {label} <em aria-hidden="true">*</em>
      </span>
      <button
        type="button"
        className="inp pick"
        id={id}
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}`}
        aria-describedby={error === undefined ? undefined : `${id}-message`}
        aria-invalid={error === undefined ? undefined : true}
        onClick={onOpen}
      >
        <Icon of={icon} size="s" />
        {chosen ?? <span className="muted">Choose</span>}
      </button>
      <div id={`${id}-message`} aria-live="polite">
        {error !== undefined && <Message kind="err">{error}</Message>}
      </div>
    </div>
  );
}
