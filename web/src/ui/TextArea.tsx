import type { ComponentProps } from 'react';
import { classes } from './classes.js';
import { Field, type FieldProps } from './Field.js';

type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, 'required'>;

/** Several lines of text. Takes what react-hook-form's `register` gives. */
export function TextArea({
  label,
  error,
  ok,
  hint,
  required,
  wide,
  className,
  ...area
}: TextAreaProps) {
  return (
    <Field
      {...{ label, error, ok, hint }}
      {...(required && { required })}
      {...(wide && { wide })}
      control={(control) => (
        <textarea {...area} {...control} className={classes('inp', className)} />
      )}
    />
  );
}
