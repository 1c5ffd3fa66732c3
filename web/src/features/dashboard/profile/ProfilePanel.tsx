import { Pencil } from 'lucide-react';
import type { Profile } from '../../../api/types.js';
import { Button } from '../../../ui/Button.js';
import { Message } from '../../../ui/Field.js';
import { Icon } from '../../../ui/Icon.js';
import { SellerSwatch } from '../../../ui/SellerSwatch.js';
import { TextField } from '../../../ui/TextField.js';
import { profileFields, useProfileForm } from './use-profile-form.js';

/** Name, business name and phone number: read-only until edit details is pressed. */
export function ProfilePanel({ profile }: { readonly profile: Profile }) {
  const { form, edit, leave, save, type, ...shown } = useProfileForm(profile);
  const { editing, values, errors, failure, busy } = shown;
  return (
    <section className="panel" aria-label="Your details">
      <div className="row spread profilehead">
        <SellerSwatch sellerId={profile.user_id} size={56} />
        {!editing && (
          <Button look="line" size="s" onClick={edit}>
            <Icon of={Pencil} size="s" />
            edit details
          </Button>
        )}
      </div>
      {failure !== undefined && (
        <Message kind="err" role="alert" className="failure">
          {failure}
        </Message>
      )}
      <form ref={form} className="form" onSubmit={save} noValidate>
        {profileFields.map(({ name, label, autoComplete }) => (
          <TextField
            key={name}
            label={label}
            name={name}
            required={editing}
            readOnly={!editing}
            autoComplete={autoComplete}
            figures={name === 'phone_1'}
            {...(name === 'phone_1' && { inputMode: 'tel' as const })}
            value={values[name]}
            error={errors[name]}
            onChange={(event) => type(name, event.target.value)}
          />
        ))}
        {editing && (
          <div className="row wrap">
            <Button look="line" className="grow" onClick={leave}>
              Leave as it was
            </Button>
            <Button type="submit" className="grow" busy={busy}>
              Update Profile
            </Button>
          </div>
        )}
      </form>
    </section>
  );
}
