import { limits } from '@oja/domain/rules';
import { Search, X } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react';
import { IconButton } from '../../ui/Button.js';
import { KEEPS_FOCUS } from '../../ui/focus.js';
import * as layout from '../../ui/layout.module.css';
import { useOptimisticValue } from '../../ui/use-value.js';
import * as styles from './SearchInput.module.css';

interface SearchInputProps {
  readonly value: string;
  /** Runs the search for what was typed. */
  readonly onChange: (value: string) => Promise<void> | void;
  /** The clear button was pressed. */
  readonly onClear: () => void;
  readonly onSubmit?: () => void;
  /** The form's address before the app runs; the current page when left out. */
  readonly action?: string;
  readonly placeholder: string;
  readonly label: string;
  readonly onFocus?: () => void;
  /** What hangs below the box. */
  readonly children?: ReactNode;
}

/** A search box: a search icon while empty, a clear button once something is typed. */
export function SearchInput({
  value: sought,
  onChange: seek,
  onClear,
  onSubmit,
  action,
  placeholder,
  label,
  onFocus,
  children,
}: SearchInputProps) {
  const id = useId();
  const [value, onChange] = useOptimisticValue(sought, seek);
  const input = useRef<HTMLInputElement>(null);
  // Text that was typed before hydration counts.
  const takeTyped = useEffectEvent(() => {
    const typed = input.current?.value ?? '';
    if (typed !== input.current?.defaultValue) onChange(typed);
  });
  useEffect(() => takeTyped(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <search>
      <form className={styles.box} action={action} onSubmit={submit} {...{ [KEEPS_FOCUS]: '' }}>
        <label className={layout.visuallyHidden} htmlFor={id}>
          {label}
        </label>
        <input
          id={id}
          ref={input}
          type="text"
          name="query"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          // No product name is longer, and a call for more is refused.
          maxLength={limits.productName.max}
          placeholder={placeholder}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onFocus={onFocus}
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
        {children}
      </form>
    </search>
  );
}
