import { CircleCheck, LoaderCircle, Lock } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.js';
import { Field, type FieldProps } from './Field.js';
import { Icon } from './Icon.js';

type TextFieldProps = FieldProps &
  Omit<ComponentProps<'input'>, 'required'> & {
    /** Being checked with the server. */
    readonly checking?: boolean;
    /** Figures of one width: phone numbers, amounts. */
    readonly figures?: boolean;
  };

/** A line of text. Takes what react-hook-form's `register` gives. */
export function TextField({
  label,
  error,
  ok,
  hint,
  required,
  wide,
  checking = false,
  figures = false,
  className,
  ...input
}: TextFieldProps) {
  const mark = markOf({
    checking,
    right: ok !== undefined && error === undefined,
    locked: input.readOnly === true,
  });
  return (
    <Field
      {...{ label, error, ok, hint }}
      {...(required && { required })}
      {...(wide && { wide })}
      control={(control) => {
        const field = (
          <input {...input} {...control} className={classes('inp', figures && 'num', className)} />
        );
        return mark === undefined ? (
          field
        ) : (
          <div className="with">
            {field}
            {mark}
          </div>
        );
      }}
    />
  );
}

function markOf(state: { checking: boolean; right: boolean; locked: boolean }): ReactNode {
  if (state.checking)
    return (
      <span className="mark muted">
        <Icon of={LoaderCircle} className="turn" label="Checking" />
      </span>
    );
  if (state.right)
    return (
      <span className="mark safe">
        <Icon of={CircleCheck} />
      </span>
    );
  if (state.locked)
    return (
      <span className="mark muted">
        <Icon of={Lock} size="s" />
      </span>
    );
  return undefined;
}
