import { Check, CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classes } from './classes.js';
import { Icon } from './Icon.js';

/** What a control inside a field takes over: its id and how it is described. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-required': true | undefined;
}

export interface FieldProps {
  readonly label: ReactNode;
  /** Wrong: said below with its sign, and to readers. */
  readonly error?: string | undefined;
  /** Right: green tick and message. */
  readonly ok?: string | undefined;
  readonly hint?: ReactNode;
  /** Shows the asterisk. */
  readonly required?: boolean;
  /** Takes the whole row of a form in two columns. */
  readonly wide?: boolean;
}

/** Label above, control, message below. */
export function Field({
  label,
  error,
  ok,
  hint,
  required = false,
  wide = false,
  control,
}: FieldProps & { readonly control: (props: ControlProps) => ReactNode }) {
  const id = useId();
  const message = error ?? ok ?? hint;
  return (
    <div className={classes('field', wide && 'w')}>
      <label htmlFor={id}>
        {label}
        {required && (
          <>
            {' '}
            <em aria-hidden="true">*</em>
          </>
        )}
      </label>
      {control({
        id,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': message === undefined ? undefined : `${id}-message`,
        'aria-required': required || undefined,
      })}
      <div id={`${id}-message`} aria-live="polite">
        {error !== undefined && <Message kind="err">{error}</Message>}
        {error === undefined && ok !== undefined && <Message kind="ok">{ok}</Message>}
        {error === undefined && ok === undefined && hint !== undefined && (
          <Message kind="hint">{hint}</Message>
        )}
      </div>
    </div>
  );
}

/** A line below a field or above a form. */
export function Message({
  kind,
  children,
  className,
  role,
}: {
  readonly kind: 'err' | 'ok' | 'hint';
  readonly children: ReactNode;
  readonly className?: string;
  readonly role?: 'alert' | 'status';
}) {
  return (
    <p className={classes('msg', kind, className)} role={role}>
      {kind === 'err' && <Icon of={CircleAlert} size="s" />}
      {kind === 'ok' && <Icon of={Check} size="s" />}
      <span>{children}</span>
    </p>
  );
}
