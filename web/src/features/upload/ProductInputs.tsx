import { categories, states, subcategoryById, subcategoryByName } from '@oja/domain/rules';
import { Check, ChevronRight, type LucideIcon, MapPin, Shapes } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Dialog } from '../../ui/Dialog.js';
import { Message, SelectField, TextArea, TextField } from '../../ui/Field.js';
import * as fieldStyles from '../../ui/Field.module.css';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { placeLabel } from '../goods/PlacePicker.js';
import { subcategoryPicture } from '../goods/subcategory-pictures.js';
import type { ProductField } from './fields.js';
import * as styles from './ProductInputs.module.css';

interface PickFieldProps {
  readonly label: string;
  readonly icon: LucideIcon;
  /** The chosen value; undefined while nothing is chosen. */
  readonly chosen: string | undefined;
  readonly error: string | undefined;
  readonly onOpen: () => void;
}

/** A field whose value is chosen in a dialog. */
function PickField({ label, icon, chosen, error, onOpen }: PickFieldProps) {
  const id = useId();
  return (
    <div className={fieldStyles.field}>
      <span className={fieldStyles.label} id={`${id}-label`}>
        {label} <em aria-hidden="true">*</em>
      </span>
      <button
        type="button"
        className={`${fieldStyles.control} ${fieldStyles.picker}`}
        id={id}
        aria-haspopup="dialog"
        aria-labelledby={`${id}-label ${id}`}
        aria-describedby={error === undefined ? undefined : `${id}-message`}
        aria-invalid={error === undefined ? undefined : true}
        onClick={onOpen}
      >
        <Icon of={icon} size="s" />
        {chosen ?? <span className={layout.muted}>Choose</span>}
      </button>
      <div id={`${id}-message`} aria-live="polite">
        {error !== undefined && <Message kind="err">{error}</Message>}
      </div>
    </div>
  );
}

interface PickListProps {
  readonly names: readonly string[];
  readonly chosen: string | undefined;
  readonly onPick: (name: string) => void;
  /** The picture of a name, where there is one. */
  readonly pictureOf?: (name: string) => string | undefined;
  /** A press opens a second list. */
  readonly opensList?: boolean;
}

/** One level of a picker. A press on the first removes the pressed button, so the second takes the focus. */
function PickList({ names, chosen, onPick, pictureOf, opensList = false }: PickListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) list.current?.querySelector('button')?.focus();
  }, []);
  return (
    <div ref={list} className={styles.choices}>
      {names.map((name) => {
        const picture = pictureOf?.(name);
        return (
          <button
            key={name}
            type="button"
            className={picture === undefined ? styles.withoutPicture : undefined}
            aria-pressed={name === chosen || undefined}
            onClick={() => onPick(name)}
          >
            {picture !== undefined && (
              <img src={picture} alt="" width={52} height={52} loading="lazy" />
            )}
            <b>{name}</b>
            {name === chosen && <Icon of={Check} size="s" />}
            {opensList && name !== chosen && (
              <Icon of={ChevronRight} size="s" className={layout.muted} />
            )}
          </button>
        );
      })}
    </div>
  );
}

interface CategoryFieldProps {
  readonly subcategoryId: number | null;
  readonly error: string | undefined;
  readonly onPick: (subcategoryId: number) => void;
}

/** Category, then subcategory, in one dialog. */
export function CategoryField({ subcategoryId, error, onPick }: CategoryFieldProps) {
  const [open, setOpen] = useState(false);
  const [level, setLevel] = useState<string>();
  const chosen = subcategoryId === null ? null : subcategoryById(subcategoryId);
  const category = categories.find(({ name }) => name === level);

  const show = () => {
    setLevel(undefined);
    setOpen(true);
  };
  const pick = (name: string) => {
    const picked = subcategoryByName(name);
    if (picked !== null) onPick(picked.id);
    setOpen(false);
  };
  return (
    <>
      <PickField
        label="Category"
        icon={Shapes}
        chosen={chosen === null ? undefined : `${chosen.category}, ${chosen.name}`}
        error={error}
        onOpen={show}
      />
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={category?.name ?? 'Category'}
        {...(category && { onBack: () => setLevel(undefined) })}
      >
        {category === undefined ? (
          <PickList
            key="categories"
            names={categories.map(({ name }) => name)}
            chosen={chosen?.category ?? undefined}
            onPick={setLevel}
            pictureOf={categoryPicture}
            opensList
          />
        ) : (
          <PickList
            key={category.name}
            names={category.subcategories}
            chosen={chosen?.name}
            onPick={pick}
            pictureOf={subcategoryPicture}
          />
        )}
        {chosen !== null && (
          <Message kind="hint" className={styles.note}>
            Changing the category clears the inputs.
          </Message>
        )}
      </Dialog>
    </>
  );
}

/** A category is shown with the picture of its first subcategory. */
function categoryPicture(category: string): string | undefined {
  const first = categories.find(({ name }) => name === category)?.subcategories[0];
  return first === undefined ? undefined : subcategoryPicture(first);
}

interface PlaceFieldProps {
  readonly localGovt: string | null;
  readonly error: string | undefined;
  readonly onPick: (state: string, localGovt: string) => void;
}

/** State, then local government, in one dialog. */
export function PlaceField({ localGovt, error, onPick }: PlaceFieldProps) {
  const [open, setOpen] = useState(false);
  const [level, setLevel] = useState<string>();
  const state = states.find(({ name }) => name === level);
  const holding = states.find(({ localGovts }) => localGovts.some((name) => name === localGovt));

  const show = () => {
    setLevel(undefined);
    setOpen(true);
  };
  return (
    <>
      <PickField
        label="State and Local Govt"
        icon={MapPin}
        chosen={localGovt === null ? undefined : placeLabel(localGovt)}
        error={error}
        onOpen={show}
      />
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={state?.name ?? 'State'}
        {...(state && { onBack: () => setLevel(undefined) })}
      >
        {state === undefined ? (
          <>
            <PickList
              names={states.map(({ name }) => name)}
              chosen={holding?.name}
              onPick={setLevel}
              opensList
            />
            <Message kind="hint" className={styles.note}>
              Other States: Coming Soon!
            </Message>
          </>
        ) : (
          <PickList
            names={state.localGovts}
            chosen={localGovt ?? undefined}
            onPick={(name) => {
              onPick(state.name, name);
              setOpen(false);
            }}
          />
        )}
      </Dialog>
    </>
  );
}

interface ProductInputProps {
  readonly field: ProductField;
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The control for a field: a select, a text area or a text input. */
export function ProductInput({ field, value, error, onChange }: ProductInputProps) {
  const { name, label, required, maxLength, multiline, figures, hint, options } = field;
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
  if (multiline) {
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
