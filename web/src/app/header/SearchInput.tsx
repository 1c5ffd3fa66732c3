import { Search, X } from 'lucide-react';
import { type FormEvent, useId, useRef } from 'react';
import { IconButton } from '../../ui/IconButton.js';
import { KEEPS_FOCUS } from '../use-route-focus.js';

interface SearchInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The close sign was pressed. */
  readonly onClear: () => void;
  readonly onSubmit?: () => void;
  readonly placeholder: string;
  readonly label: string;
}

/** A search box: glass when empty, close once something is typed. */
export function SearchInput({
  value,
  onChange,
  onClear,
  onSubmit,
  placeholder,
  label,
}: SearchInputProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <search>
      <form className="search" onSubmit={submit} {...{ [KEEPS_FOCUS]: '' }}>
        <label className="vh" htmlFor={id}>
          {label}
        </label>
        <input
          id={id}
          ref={input}
          type="text"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          placeholder={placeholder}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        {value === '' ? (
          <IconButton of={Search} label="Search" onClick={() => input.current?.focus()} />
        ) : (
          <IconButton
            of={X}
            label="Clear search"
            onClick={() => {
              onClear();
              input.current?.focus();
            }}
          />
        )}
      </form>
    </search>
  );
}
