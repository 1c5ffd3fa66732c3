import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { signIn } from '../../stores/session.js';
import { Button } from '../../ui/Button.js';
import { Checkbox } from '../../ui/Checkbox.js';
import { Message } from '../../ui/Field.js';
import { PasswordField } from '../../ui/PasswordField.js';
import { TextField } from '../../ui/TextField.js';
import { AuthPage } from './AuthPage.js';
import { BusinessNameField } from './BusinessNameField.js';
import { useRegistration } from './use-registration.js';

export function Component() {
  const navigate = useNavigate();
  const [agreed, setAgreed] = useState(false);
  const { form, failure, submit, nameCheck } = useRegistration(async ({ user, token }) => {
    signIn(user, token);
    await navigate('/upload-product', { replace: true });
  });
  const { errors, isSubmitting } = form.formState;

  return (
    <AuthPage
      title="Sign up"
      heading="SIGN UP"
      saying="Your own stall in the biggest market in Nigeria. It is free, and buyers pay before you pack."
    >
      <p className="muted lead-in">Your store opens as soon as you finish.</p>
      {failure !== undefined && (
        <Message kind="err" role="alert" className="failure">
          {failure}
        </Message>
      )}
      <form className="form" onSubmit={submit} noValidate>
        <TextField
          label="Name"
          autoComplete="name"
          error={errors.name?.message}
          {...form.register('name')}
        />
        <BusinessNameField
          check={nameCheck}
          error={errors.businessName?.message}
          {...form.register('businessName')}
        />
        <TextField
          label="Phone number"
          figures
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          error={errors.phone_1?.message}
          {...form.register('phone_1')}
        />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          hint="At least 8 characters"
          error={errors.password?.message}
          {...form.register('password')}
        />
        <Checkbox checked={agreed} onChange={(event) => setAgreed(event.target.checked)}>
          I agree to the{' '}
          <Link className="link" to="/terms-&-conditions">
            Terms
          </Link>{' '}
          and{' '}
          <Link className="link" to="/privacy-policy">
            Privacy Policy
          </Link>
        </Checkbox>
        <Button type="submit" size="l" full disabled={!agreed} busy={isSubmitting}>
          SIGN UP
        </Button>
        <p className="c muted">
          Have a store already?{' '}
          <Link className="link" to="/login">
            login
          </Link>
        </p>
      </form>
    </AuthPage>
  );
}
