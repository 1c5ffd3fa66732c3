import type { ComponentProps, ReactNode } from 'react';
import * as fieldStyles from './Field.module.css';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & { readonly children: ReactNode };

/** A box to tick with its words beside it. */
export function Checkbox({ children, ...input }: CheckboxProps) {
  return (
    <label className={fieldStyles.checkbox}>
      <input {...input} type="checkbox" />
      <span>{children}</span>
    </label>
  );
}

/** One of a few; give those of a group the same `name`. */
export function Radio({ children, ...input }: CheckboxProps) {
  return (
    <label className={fieldStyles.radio}>
      <input {...input} type="radio" />
      {children}
    </label>
  );
}
