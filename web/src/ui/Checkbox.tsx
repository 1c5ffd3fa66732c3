import type { ComponentProps, ReactNode } from 'react';
import * as fieldStyles from './Field.module.css';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & { readonly children: ReactNode };

/** A checkbox with its label beside it. */
export function Checkbox({ children, ...input }: CheckboxProps) {
  return (
    <label className={fieldStyles.checkbox}>
      <input {...input} type="checkbox" />
      <span>{children}</span>
    </label>
  );
}

/** A radio button; give the buttons of a group the same `name`. */
export function Radio({ children, ...input }: CheckboxProps) {
  return (
    <label className={fieldStyles.radio}>
      <input {...input} type="radio" />
      {children}
    </label>
  );
}
