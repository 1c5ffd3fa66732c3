import {
  Check,
  CircleAlert,
  CircleCheck,
  Eye,
  EyeOff,
  LoaderCircle,
  Lock,
  TriangleAlert,
} from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { IconButton } from './Button.js';
import { classes } from './classes.js';
import * as styles from './Field.module.css';
import { Icon } from './Icon.js';
import * as layout from './layout.module.css';
import * as spinnerStyles from './Spinner.module.css';

/** Props for the control inside a field: its id and its ARIA attributes. */
interface ControlProps {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-required': true | undefined;
}

interface FieldProps {
  readonly label: ReactNode;
  /** The value is wrong: message with an icon, and the control is marked invalid. */
  readonly error?: string | undefined;
  /** A warning: message with an icon. `wrong` decides whether the control is also marked invalid. */
  readonly warning?: string | undefined;
  readonly wrong?: boolean | undefined;
  /** The value is right: message with a green tick. */
  readonly ok?: string | undefined;
  readonly hint?: ReactNode;
  /** Shows the asterisk. */
  readonly required?: boolean | undefined;
  /** Takes the whole row of a two-column form. */
  readonly wide?: boolean | undefined;
}

/** Props of the fields without warnings. */
type PlainFieldProps = Omit<FieldProps, 'warning' | 'wrong'>;

/** The props of the field, and those of the control inside it. */
function splitProps<Props extends FieldProps>({
  label,
  error,
  warning,
  wrong,
  ok,
  hint,
  required,
  wide,
  ...control
}: Props) {
  return [{ label, error, warning, wrong, ok, hint, required, wide }, control] as const;
}

/** A label, the control, and a message below. */
export function Field({
  label,
  error,
  warning,
  wrong = error !== undefined,
  ok,
  hint,
  required = false,
  wide = false,
  control,
}: FieldProps & { readonly control: (props: ControlProps) => ReactNode }) {
  const id = useId();
  const [kind, message] = pickMessage({ error, warning, ok, hint });
  return (
    <div className={classes(styles.field, wide && styles.wide)}>
      <label htmlFor={id}>
        {label}
        {required && (
          <>
            {' '}
            <em aria-hidden="true">*</em>
          </>
        )}
      </label>
      {control({
        id,
        'aria-invalid': wrong || undefined,
        'aria-describedby': message === undefined ? undefined : `${id}-message`,
        'aria-required': required || undefined,
      })}
      <div id={`${id}-message`} aria-live="polite">
        {message !== undefined && <Message kind={kind}>{message}</Message>}
      </div>
    </div>
  );
}

type MessageKind = 'err' | 'warn' | 'ok' | 'hint';

/** The one message to show: error, warning, success or hint, in this order. */
function pickMessage({
  error,
  warning,
  ok,
  hint,
}: Pick<FieldProps, 'error' | 'warning' | 'ok' | 'hint'>): [MessageKind, ReactNode] {
  if (error !== undefined) return ['err', error];
  if (warning !== undefined) return ['warn', warning];
  return ok === undefined ? ['hint', hint] : ['ok', ok];
}

const kinds: Readonly<Record<MessageKind, string | undefined>> = {
  err: styles.error,
  warn: styles.warning,
  ok: styles.ok,
  hint: styles.hint,
};

/** A message below a field or above a form. */
export function Message({
  kind,
  children,
  className,
  role,
}: {
  readonly kind: MessageKind;
  readonly children: ReactNode;
  readonly className?: string | undefined;
  readonly role?: 'alert' | 'status';
}) {
  return (
    <p className={classes(styles.message, kinds[kind], className)} role={role}>
      {kind === 'err' && <Icon of={CircleAlert} size="s" />}
      {kind === 'warn' && <Icon of={TriangleAlert} size="s" />}
      {kind === 'ok' && <Icon of={Check} size="s" />}
      <span>{children}</span>
    </p>
  );
}

type TextFieldProps = FieldProps &
  Omit<ComponentProps<'input'>, 'required'> & {
    /** The value is being checked by the server. */
    readonly checking?: boolean;
    /** Tabular figures, for phone numbers and amounts. */
    readonly figures?: boolean;
  };

/** A text input. Accepts what react-hook-form's `register` returns. */
export function TextField(props: TextFieldProps) {
  const [field, { checking = false, figures = false, className, ...input }] = splitProps(props);
  const icon = statusIcon({
    checking,
    right: field.ok !== undefined && field.error === undefined && field.warning === undefined,
    locked: input.readOnly === true,
  });
  return (
    <Field
      {...field}
      control={(control) => {
        const element = (
          <input
            {...input}
            {...control}
            className={classes(styles.control, figures && layout.figures, className)}
          />
        );
        return icon === undefined ? (
          element
        ) : (
          <div className={styles.withSign}>
            {element}
            {icon}
          </div>
        );
      }}
    />
  );
}

function statusIcon(state: { checking: boolean; right: boolean; locked: boolean }): ReactNode {
  if (state.checking)
    return (
      <span className={`${styles.sign} ${layout.muted}`}>
        <Icon of={LoaderCircle} className={spinnerStyles.turning} label="Checking" />
      </span>
    );
  if (state.right)
    return (
      <span className={`${styles.sign} ${styles.rightSign}`}>
        <Icon of={CircleCheck} />
      </span>
    );
  if (state.locked)
    return (
      <span className={`${styles.sign} ${layout.muted}`}>
        <Icon of={Lock} size="s" />
      </span>
    );
  return undefined;
}

type TextAreaProps = PlainFieldProps & Omit<ComponentProps<'textarea'>, 'required'>;

/** A text area. Accepts what react-hook-form's `register` returns. */
export function TextArea(props: TextAreaProps) {
  const [field, { className, ...area }] = splitProps(props);
  return (
    <Field
      {...field}
      control={(control) => (
        <textarea {...area} {...control} className={classes(styles.control, className)} />
      )}
    />
  );
}

type SelectFieldProps = PlainFieldProps & Omit<ComponentProps<'select'>, 'required'>;

/** A select; its options are the children. */
export function SelectField(props: SelectFieldProps) {
  const [field, { className, ...select }] = splitProps(props);
  return (
    <Field
      {...field}
      control={(control) => (
        <select {...select} {...control} className={classes(styles.control, className)} />
      )}
    />
  );
}

type PasswordFieldProps = PlainFieldProps & Omit<ComponentProps<'input'>, 'required' | 'type'>;

/** A password input with a button that shows or hides the text. */
export function PasswordField(props: PasswordFieldProps) {
  const [field, input] = splitProps(props);
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...field}
      control={(control) => (
        <div className={styles.withSign}>
          {/* Once it is shown, phones would take it for text, to be capitalised and corrected. */}
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...input}
            {...control}
            className={styles.control}
            type={shown ? 'text' : 'password'}
          />
          <IconButton
            of={shown ? EyeOff : Eye}
            label={shown ? 'Hide password' : 'Show password'}
            onClick={() => setShown(!shown)}
          />
        </div>
      )}
    />
  );
}

/** After failed validation, moves the focus to the first invalid field, once it is rendered as invalid. */
export function useFocusInvalid() {
  const form = useRef<HTMLFormElement>(null);
  const [presses, setPresses] = useState(0);
  useEffect(() => {
    if (presses > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [presses]);
  return { form, focusInvalid: () => setPresses((count) => count + 1) };
}
