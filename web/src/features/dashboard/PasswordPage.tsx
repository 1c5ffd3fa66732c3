import { pagePaths } from '@oja/contracts/pages';
import { limits } from '@oja/domain/rules';
import { passwordProblem } from '@oja/domain/rules/user-input';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiError } from '../../api/error.js';
import { errorMessage } from '../../api/failures.js';
import { changePassword } from '../../api/profile.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import * as dashboardFrameStyles from '../../app/layouts/DashboardFrame.module.css';
import { useIsStillOnPage } from '../../app/navigation.js';
import { Screen } from '../../app/Screen.js';
import { useUser } from '../../stores/session.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import { Message, PasswordField, useFocusInvalid } from '../../ui/Field.js';
import * as fieldStyles from '../../ui/Field.module.css';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { toast } from '../../ui/toast.js';

const empty = { old_password: '', new_password: '' };
type Values = typeof empty;
type Errors = { readonly [Name in keyof Values]?: string };

/** Changes the seller's own password. The old one is required. */
export default function PasswordPage() {
  const user = useUser();
  const navigate = useNavigate();
  const isStillOnPage = useIsStillOnPage();
  const [values, setValues] = useState<Values>(empty);
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { withKey } = useIdempotencyKey();
  const { form, focusInvalid } = useFocusInvalid();
  const type = (name: keyof Values) => ({
    name,
    required: true,
    maxLength: limits.password.max,
    value: values[name],
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setValues({ ...values, [name]: target.value }),
  });

  /** Whether a password is too common is checked by the server only. */
  function validate(): Errors {
    const owner = { name: user?.name ?? '', businessName: user?.businessName ?? '' };
    const problem = passwordProblem(values.new_password, owner, () => false);
    return {
      ...(values.old_password === '' && { old_password: 'please enter your old password' }),
      ...(problem !== null && { new_password: problem }),
    };
  }

  function showErrors(found: Errors, message?: string): void {
    setErrors(found);
    // A field's own error is shown below the field.
    setFailure(Object.keys(found).length === 0 ? message : undefined);
    focusInvalid();
  }

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const found = validate();
    if (Object.keys(found).length > 0) return showErrors(found);
    setBusy(true);
    showErrors({});
    try {
      await withKey(values, (key) => changePassword(values, key));
      // A new password ends the push messages of all devices, and this one goes on.
      if (user !== null)
        import('../../push/resume.js')
          .then(({ resumePush }) => resumePush(user.user_id))
          .catch(console.error);
      toast.success('Password changed. Everywhere else you are logged out.');
      if (isStillOnPage()) await navigate(pagePaths.profile);
    } catch (error) {
      showErrors(error instanceof ApiError ? error.errors : {}, errorMessage(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Screen title="Change password" className={layout.narrow}>
      <div className={layout.sectionHead}>
        <h1>Change password</h1>
      </div>
      <section className={panelStyles.panel} aria-label="Your password">
        {failure !== undefined && (
          <Message kind="err" role="alert" className={dashboardFrameStyles.failure}>
            {failure}
          </Message>
        )}
        <form ref={form} className={fieldStyles.form} onSubmit={save} noValidate>
          {/* Tells a password manager whose password this is. */}
          <input
            type="text"
            hidden
            readOnly
            autoComplete="username"
            value={user?.businessName ?? ''}
          />
          <PasswordField
            label="Old password"
            autoComplete="current-password"
            {...type('old_password')}
          />
          <PasswordField
            label="New password"
            hint={`At least ${limits.password.min} characters, and not one that many people use`}
            autoComplete="new-password"
            {...type('new_password')}
          />
          <div className={`${layout.row} ${layout.wrap}`}>
            <ButtonLink look="line" className={layout.grow} to={pagePaths.profile}>
              Leave as it was
            </ButtonLink>
            <Button type="submit" className={layout.grow} busy={busy}>
              Change password
            </Button>
          </div>
        </form>
      </section>
    </Screen>
  );
}
