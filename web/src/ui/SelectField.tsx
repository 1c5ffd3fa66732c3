import type { ComponentProps } from 'react';
import { classes } from './classes.js';
import { Field, type FieldProps } from './Field.js';

type SelectFieldProps = FieldProps & Omit<ComponentProps<'select'>, 'required'>;

/** A choice of a few; the options are its children. */
export function SelectField({
  label,
  error,
  ok,
  hint,
  required,
  wide,
  className,
  ...select
}: SelectFieldProps) {
  return (
    <Field
      {...{ label, error, ok, hint }}
      {...(required && { required })}
      {...(wide && { wide })}
      control={(control) => (
        <select {...select} {...control} className={classes('inp', className)} />
      )}
    />
  );
}
