import type { ComponentProps } from 'react';
import { TextField } from '../../ui/TextField.js';
import type { NameCheck } from './use-name-check.js';

const words: Partial<Record<NameCheck, string>> = {
  taken: 'Business name is already taken!',
  failed: 'An error occurred while checking the business name.',
};

type BusinessNameFieldProps = Omit<ComponentProps<'input'>, 'required'> & {
  readonly check: NameCheck;
  /** What is wrong with the name itself. */
  readonly error: string | undefined;
};

/** The business name, with live word of whether it is free. */
export function BusinessNameField({ check, error, ...input }: BusinessNameFieldProps) {
  return (
    <TextField
      {...input}
      label="Business name"
      placeholder="business name"
      autoComplete="organization"
      checking={check === 'checking'}
      error={error ?? words[check]}
      ok={check === 'available' ? 'Business name is available!' : undefined}
    />
  );
}
