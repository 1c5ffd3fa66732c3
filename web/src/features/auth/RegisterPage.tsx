import { pagePaths } from '@oja/contracts/pages';
import { limits } from '@oja/domain/rules';
import { businessNameProblem, cleanLine } from '@oja/domain/rules/user-input';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import { ApiError } from '../../api/error.js';
import { errorMessage, isKeyReused } from '../../api/failures.js';
import { normalizeBusinessName, toPhoneDigits } from '../../api/profile.js';
import { createStoredAttempts } from '../../api/use-idempotency-key.js';
import { useIsStillOnPage } from '../../app/navigation.js';
import { createFormStorage } from '../../stores/form-storage.js';
import { signIn } from '../../stores/session.js';
import { Button } from '../../ui/Button.js';
import { Checkbox } from '../../ui/Checkbox.js';
import { Message, PasswordField, TextField } from '../../ui/Field.js';
import * as fieldStyles from '../../ui/Field.module.css';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import { toast } from '../../ui/toast.js';
import { AuthPage } from './AuthPage.js';
import * as styles from './AuthPage.module.css';
import { businessNameExists, type Registration, register, type SignedInAnswer } from './api.js';

export default function RegisterPage() {
  const navigate = useNavigate();
  const isStillOnPage = useIsStillOnPage();
  const [agreed, setAgreed] = useState(false);
  const { form, failure, submit, nameCheck } = useRegistration(async ({ user, token }) => {
    signIn(user, token);
    if (isStillOnPage()) await navigate(pagePaths.upload, { replace: true });
  });
  const { errors, isSubmitting } = form.formState;

  return (
    <AuthPage
      title="Sign up"
      heading="SIGN UP"
      tagline="Your own stall in the biggest market in Nigeria. It is free, and buyers pay before you pack."
    >
      <p className={`${layout.muted} ${styles.intro}`}>Your store opens as soon as you finish.</p>
      {failure !== undefined && (
        <Message kind="err" role="alert" className={styles.failure}>
          {failure}
        </Message>
      )}
      <form className={fieldStyles.form} onSubmit={submit} noValidate>
        <TextField
          label="Name"
          autoComplete="name"
          error={errors.name?.message}
          {...form.register('name', { validate: rules.name })}
        />
        <BusinessNameField
          check={nameCheck}
          error={errors.businessName?.message ?? nameProblem(nameCheck, form.watch('businessName'))}
          {...form.register('businessName', { validate: rules.businessName })}
        />
        <TextField
          label="Phone number"
          figures
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          error={errors.phone_1?.message}
          {...form.register('phone_1', { validate: rules.phone_1 })}
        />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          hint="At least 8 characters"
          error={errors.password?.message}
          {...form.register('password', { validate: rules.password })}
        />
        <Checkbox checked={agreed} onChange={(event) => setAgreed(event.target.checked)}>
          I agree to the{' '}
          <Link className={layout.link} to={pagePaths.terms}>
            Terms
          </Link>{' '}
          and{' '}
          <Link className={layout.link} to={pagePaths.privacy}>
            Privacy Policy
          </Link>
        </Checkbox>
        <Button type="submit" size="l" full disabled={!agreed} busy={isSubmitting}>
          SIGN UP
        </Button>
        <p className={`${layout.centered} ${layout.muted}`}>
          Have a store already?{' '}
          <Link className={layout.link} to={pagePaths.login}>
            login
          </Link>
        </p>
      </form>
    </AuthPage>
  );
}

/** Why a refused name cannot be used; undefined for any other. */
const nameProblem = (check: NameCheck, name: string): string | undefined =>
  check === 'refused' ? (businessNameProblem(normalizeBusinessName(name)) ?? undefined) : undefined;

/** Messages about a name that is taken or could not be checked. */
const warnings: Partial<Readonly<Record<NameCheck, string>>> = {
  taken: 'Business name is already taken!',
  failed: 'An error occurred while checking the business name.',
};

type BusinessNameFieldProps = Omit<ComponentProps<'input'>, 'required'> & {
  readonly check: NameCheck;
  /** What is wrong with the name, as far as is known. */
  readonly error: string | undefined;
};

/** The business name, with a live check of whether it is available. */
function BusinessNameField({ check, error, ...input }: BusinessNameFieldProps) {
  return (
    <TextField
      {...input}
      label="Business name"
      placeholder="business name"
      // What one logs in with: else password managers take the field before the password, the phone number.
      autoComplete="username"
      checking={check === 'checking'}
      error={error}
      warning={warnings[check]}
      wrong={error !== undefined || check === 'taken'}
      ok={check === 'available' ? 'Business name is available!' : undefined}
    />
  );
}

const fieldNames = ['name', 'businessName', 'phone_1', 'password'] as const;

/** The sign-up form: validation, live name check and server errors. `done` runs after a successful sign-up. */
function useRegistration(done: (answer: SignedInAnswer) => Promise<void>) {
  const form = useForm<Registration>({
    defaultValues: { name: '', businessName: '', phone_1: '', password: '', ...formStorage.load() },
  });
  const [failure, setFailure] = useState(() =>
    attempts.isOutcomeUnknown(withoutPassword(form.getValues())) ? NO_ANSWER_YET : undefined,
  );
  useEffect(() => {
    const typing = form.watch((now) => formStorage.save(now));
    return () => typing.unsubscribe();
  }, [form]);
  const nameCheck = useNameCheck(form.watch('businessName'));

  const send = async (values: Registration) => {
    const sent = withoutPassword(values);
    setFailure(undefined);
    // A store that was opened without an answer has taken its own name.
    if (nameCheck === 'taken' && !attempts.isOutcomeUnknown(sent))
      return form.setFocus('businessName');
    try {
      const registration = { ...sent, password: values.password };
      const answer = await attempts.withKey(sent, (key) => register(registration, key));
      formStorage.save({});
      await done(answer);
    } catch (error) {
      // All that is shown was the same, so that it was the password that was another one.
      setFailure(isKeyReused(error) ? REGISTERED : errorMessage(error));
      const wrong = error instanceof ApiError ? error.errors : {};
      const refused = fieldNames.filter((name) => wrong[name] !== undefined);
      for (const name of refused)
        form.setError(name, { message: wrong[name] ?? '' }, { shouldFocus: name === refused[0] });
    }
  };
  const submit = form.handleSubmit(send, ({ businessName }) => {
    setFailure(undefined);
    if (nameCheck === 'unknown' && businessName !== undefined)
      toast.error('Please enter your Business Name.');
  });
  return { form, failure, submit, nameCheck };
}

/** Debounce of the name check, in ms. */
const DEBOUNCE_MS = 500;
/** Names of this many characters or fewer are not checked. */
const UNCHECKED_LENGTH = 2;

/** unknown: empty, too short, not checked yet or being typed. refused: not taken, but nobody may use it. */
type NameCheck = 'unknown' | 'checking' | 'available' | 'taken' | 'refused' | 'failed';

/** Whether a business name is available, checked while it is typed. */
function useNameCheck(typedName: string): NameCheck {
  const name = normalizeBusinessName(typedName);
  const [debounced, setDebounced] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(name), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [name]);

  const isLongEnough = [...name].length > UNCHECKED_LENGTH;
  const check = useQuery({
    queryKey: ['business-name', debounced],
    queryFn: ({ signal }) => businessNameExists(debounced, signal),
    enabled: isLongEnough && debounced === name,
    staleTime: 0,
    retry: false,
  });
  if (!isLongEnough || debounced !== name) return 'unknown';
  if (check.isFetching) return 'checking';
  if (check.data) return 'taken';
  if (businessNameProblem(name) !== null) return 'refused';
  if (check.isError) return 'failed';
  return check.data === undefined ? 'unknown' : 'available';
}

/** A visit to the Terms loses nothing. Passwords are not stored. */
const formStorage = createFormStorage('oja-sign-up', ['name', 'businessName', 'phone_1']);

/** A reload must not forget that a sign-up was sent without an answer: sent again, it is still one store. */
const attempts = createStoredAttempts('oja-sign-up');
const NO_ANSWER_YET =
  'Your sign-up may have been done already. Type your password and press SIGN UP again: it is done only once.';
const REGISTERED =
  'You are registered already, with the password that you typed first. Please log in.';

/** What is sent, but for the password, which is not stored. */
const withoutPassword = ({ name, businessName, phone_1 }: Registration) => ({
  name,
  businessName,
  phone_1: toPhoneDigits(phone_1),
});

const PHONE = /^\d{11}$/;

/** What each field is validated by: true, or the error in the product's own wording, odd spellings included. */
const rules: Readonly<Record<keyof Registration, (value: string) => string | true>> = {
  name: (value) => {
    const length = [...cleanLine(value)].length;
    if (length === 0) return 'please enter your name!';
    return length >= limits.sellerName.min || `minimum of ${limits.sellerName.min} characters`;
  },
  businessName: (value) => businessNameProblem(normalizeBusinessName(value)) ?? true,
  phone_1: (value) => PHONE.test(toPhoneDigits(value)) || 'please enter your Phone number!',
  password: (value) => value.length >= limits.password.min || 'please enter your passwordd!',
};
