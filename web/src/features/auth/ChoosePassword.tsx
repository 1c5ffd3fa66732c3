import { limits } from '@oja/domain/rules';
import { useForm } from 'react-hook-form';
import { ApiError, messageOf } from '../../api/error.js';
import { Button } from '../../ui/Button.js';
import { Message, PasswordField } from '../../ui/Field.js';
import * as fieldStyles from '../../ui/Field.module.css';
import * as layout from '../../ui/layout.module.css';
import * as styles from './AuthPage.module.css';
import { type Credentials, loginWithNewPassword, type SignedInAnswer } from './api.js';

interface ChoosePasswordProps {
  /** Right, but somebody else gave the password. */
  readonly credentials: Credentials;
  readonly onSignedIn: (answer: SignedInAnswer) => Promise<void>;
}

const TOO_SHORT = `minimum of ${limits.password.min} characters`;

/** In the place of the login form, for who came with a password that is good for one time. */
export function ChoosePassword({ credentials, onSignedIn }: ChoosePasswordProps) {
  const form = useForm({ defaultValues: { new_password: '' } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ new_password }) => {
    try {
      await onSignedIn(await loginWithNewPassword({ ...credentials, new_password }));
    } catch (error) {
      const wrong = error instanceof ApiError ? error.errors.new_password : undefined;
      if (wrong === undefined) form.setError('root', { message: messageOf(error) });
      else form.setError('new_password', { message: wrong }, { shouldFocus: true });
    }
  });
  return (
    <>
      <p className={`${layout.muted} ${styles.intro}`}>
        The password you came with was given to you for one time. Choose your own to go on.
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
          // The form has just taken the place of the one that was filled in.
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
