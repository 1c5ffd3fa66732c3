import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { Field, type FieldProps } from './Field.js';
import { IconButton } from './IconButton.js';

type PasswordFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'required' | 'type'>;

/** A password with its show/hide toggle. */
export function PasswordField({
  label,
  error,
  ok,
  hint,
  required,
  wide,
  ...input
}: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...{ label, error, ok, hint }}
      {...(required && { required })}
      {...(wide && { wide })}
      control={(control) => (
        <div className="with">
          <input {...input} {...control} className="inp" type={shown ? 'text' : 'password'} />
          <IconButton
            of={shown ? EyeOff : Eye}
            label={shown ? 'Hide password' : 'Show password'}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          />
        </div>
      )}
    />
  );
}
