import { SelectField, TextArea, TextField } from '../../ui/Field.js';
import type { ProductField } from './fields.js';

interface ProductInputProps {
  readonly field: ProductField;
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The control for a field: a select, a text area or a text input. */
export function ProductInput({ field, value, error, onChange }: ProductInputProps) {
  const { name, label, required, maxLength, several, figures, hint, options } = field;
  const common = { name, label, value, error, required, wide: field.wide === true };
  if (options !== undefined) {
    return (
      <SelectField {...common} onChange={(event) => onChange(event.target.value)}>
        <option value="">Choose</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </SelectField>
    );
  }
  if (several) {
    return (
      <TextArea
        {...common}
        maxLength={maxLength}
        placeholder="What is it made of? What comes with it?"
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <TextField
      {...common}
      hint={hint}
      maxLength={maxLength}
      autoComplete="off"
      {...(figures && { figures, inputMode: 'numeric' })}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
