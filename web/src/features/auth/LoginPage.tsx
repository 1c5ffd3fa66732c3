import { pagePaths } from '@oja/contracts/pages';
import { limits } from '@oja/domain/rules';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type Location, useLocation, useNavigate } from 'react-router-dom';
import { ApiError } from '../../api/error.js';
import { errorMessage } from '../../api/failures.js';
import type { UserDetails } from '../../api/types.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import { useIsStillOnPage } from '../../app/navigation.js';
import { signIn } from '../../stores/session.js';
import { Button } from '../../ui/Button.js';
import { Message, PasswordField, TextField } from '../../ui/Field.js';
import * as fieldStyles from '../../ui/Field.module.css';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import { toast } from '../../ui/toast.js';
import { AuthPage } from './AuthPage.js';
import * as styles from './AuthPage.module.css';
import { type Credentials, login, loginWithNewPassword, type SignedInAnswer } from './api.js';

interface ChoosePasswordProps {
  /** Valid, but with a one-time password that somebody else gave to the seller. */
  readonly credentials: Credentials;
  readonly onSignedIn: (answer: SignedInAnswer) => Promise<void>;
}

const TOO_SHORT = `minimum of ${limits.password.min} characters`;

/** Replaces the login form for a seller who logged in with a one-time password. */
function ChoosePassword({ credentials, onSignedIn }: ChoosePasswordProps) {
  const form = useForm({ defaultValues: { new_password: '' } });
  const { errors, isSubmitting } = form.formState;
  const { withKey } = useIdempotencyKey();
  const submit = form.handleSubmit(async ({ new_password }) => {
    const chosen = { ...credentials, new_password };
    try {
      await onSignedIn(await withKey(chosen, (key) => loginWithNewPassword(chosen, key)));
    } catch (error) {
      const wrong = error instanceof ApiError ? error.errors.new_password : undefined;
      if (wrong === undefined) form.setError('root', { message: errorMessage(error) });
      else form.setError('new_password', { message: wrong }, { shouldFocus: true });
    }
  });
  return (
    <>
      <p className={`${layout.muted} ${styles.intro}`}>
        The password you logged in with works only once. Choose your own to continue.
      </p>
      {errors.root !== undefined && (
        <Message kind="err" role="alert" className={styles.failure}>
          {errors.root.message}
        </Message>
      )}
      <form className={fieldStyles.form} onSubmit={submit} noValidate>
        <PasswordField
          label="New password"
          hint={`At least ${limits.password.min} characters, and not one that many people use`}
          autoComplete="new-password"
          // This form has just replaced the one that had the focus.
          autoFocus
          error={errors.new_password?.message}
          {...form.register('new_password', {
            minLength: { value: limits.password.min, message: TOO_SHORT },
            required: TOO_SHORT,
          })}
        />
        <Button type="submit" size="l" full busy={isSubmitting}>
          SAVE AND LOG IN
        </Button>
      </form>
    </>
  );
}

/** Router state that a guarded page passes when it redirects to the login. */
interface LoginState {
  readonly from?: Partial<Location>;
  /** Id of the seller who was on the page. It is not opened again for anybody else. */
  readonly whose?: string;
}

/** Where to go after login: back to the guarded page, else to the dashboard of admins or of sellers. */
function pathAfterLogin(user: UserDetails, { from, whose = user.user_id }: LoginState): string {
  if (from?.pathname !== undefined && whose === user.user_id)
    return `${from.pathname}${from.search ?? ''}`;
  return user.is_admin === 1 ? pagePaths.adminHome : pagePaths.dashboard;
}

export default function LoginPage() {
  const navigate = useNavigate();
  const isStillOnPage = useIsStillOnPage();
  const { state }: Location<LoginState | null> = useLocation();
  const [failure, setFailure] = useState<string>();
  const [oneTimeCredentials, setOneTimeCredentials] = useState<Credentials>();
  const form = useForm<Credentials>({ defaultValues: { businessName: '', password: '' } });
  const { errors, isSubmitting } = form.formState;

  const completeLogin = async ({ user, token }: SignedInAnswer) => {
    signIn(user, token);
    if (isStillOnPage()) await navigate(pathAfterLogin(user, state ?? {}), { replace: true });
  };
  const submit = form.handleSubmit(async (credentials) => {
    setFailure(undefined);
    try {
      await completeLogin(await login(credentials));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'choose_password')
        return setOneTimeCredentials(credentials);
      const wrong = error instanceof ApiError ? error.errors : {};
      const fields = fieldNames.filter((name) => wrong[name] !== undefined);
      for (const name of fields)
        form.setError(name, { message: wrong[name] ?? '' }, { shouldFocus: name === fields[0] });
      setFailure(errorMessage(error));
      toast.error('Error logging in');
    }
  });

  if (oneTimeCredentials !== undefined)
    return (
      <AuthPage
        title="Choose a password"
        heading="CHOOSE A PASSWORD"
        tagline="Choose one that only you know."
      >
        <ChoosePassword credentials={oneTimeCredentials} onSignedIn={completeLogin} />
      </AuthPage>
    );
  return (
    <AuthPage
      title="Login"
      heading="LOGIN"
      tagline={`${greeting(new Date())}. Your goods are where you left them.`}
    >
      {state?.from !== undefined && failure === undefined && (
        <p className={`${layout.muted} ${styles.intro}`}>Log in to continue where you were.</p>
      )}
      {failure !== undefined && (
        <Message kind="err" role="alert" className={styles.failure}>
          {toExclamation(failure)}
        </Message>
      )}
      <form className={fieldStyles.form} onSubmit={submit} noValidate>
        <TextField
          label="Business Name"
          autoComplete="username"
          error={errors.businessName?.message}
          {...form.register('businessName')}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          error={errors.password?.message}
          {...form.register('password')}
        />
        <Button type="submit" size="l" full busy={isSubmitting}>
          LOG IN
        </Button>
        <p className={`${layout.centered} ${layout.muted}`}>
          New here?{' '}
          <Link className={layout.link} to={pagePaths.register}>
            sign up
          </Link>
        </p>
      </form>
    </AuthPage>
  );
}

const fieldNames = ['businessName', 'password'] as const;

/** The server's message, ending in '!!' instead of its own punctuation. */
const toExclamation = (failure: string) => `${failure.replace(/[.!?]+$/, '')}!!`;

/** A greeting by the hour of the user's own clock. */
function greeting(now: Date): string {
  const hour = now.getHours();
  if (hour < 12) return 'Good morning';
  return hour < 17 ? 'Good afternoon' : 'Good evening';
}
