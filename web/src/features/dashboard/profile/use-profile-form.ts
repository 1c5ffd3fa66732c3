import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/error.js';
import { missingFieldsOf } from '../../../api/missing-fields.js';
import { profileQuery, updateProfile } from '../../../api/profile.js';
import { queryClient } from '../../../api/query-client.js';
import type { Profile } from '../../../api/types.js';
import { updateUser } from '../../../stores/session.js';
import { toast } from '../../../ui/toast.js';
import { useFocusWrong } from '../../../ui/use-focus-wrong.js';

export const profileFields = [
  { name: 'name', label: 'Name', autoComplete: 'name' },
  { name: 'businessName', label: 'Business name', autoComplete: 'organization' },
  { name: 'phone_1', label: 'Phone number', autoComplete: 'tel-national' },
] as const;

type Values = Readonly<Record<(typeof profileFields)[number]['name'], string>>;

const valuesOf = ({ name, businessName, phone_1 }: Profile): Values => ({
  name: name ?? '',
  businessName,
  phone_1: phone_1 ?? '',
});

/** What the missing fields are called on the screen. */
function missingWords(missing: readonly string[]): string | undefined {
  if (missing.length === 0) return undefined;
  const labels = missing.map(
    (field) => profileFields.find(({ name }) => name === field)?.label ?? field,
  );
  return `Please fill in: ${labels.join(', ')}`;
}

/** View, then edit, then view again after a save; a save updates the person everywhere. */
export function useProfileForm(profile: Profile) {
  const [editing, setEditing] = useState(false);
  const [values, setValues] = useState(valuesOf(profile));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { form, focusWrong } = useFocusWrong();

  const edit = () => {
    setValues(valuesOf(profile));
    setEditing(true);
  };
  const leave = () => {
    setEditing(false);
    setErrors({});
    setFailure(undefined);
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setErrors({});
    setFailure(undefined);
    try {
      const phone_1 = values.phone_1.replace(/[\s-]/g, '');
      const saved = await updateProfile(profile.user_id, { ...values, phone_1 });
      queryClient.setQueryData(profileQuery.queryKey, saved);
      updateUser(saved);
      leave();
      toast.success('Profile updated successfully');
    } catch (error) {
      console.error(error);
      const missing = missingWords(missingFieldsOf(error));
      setErrors(error instanceof ApiError ? error.errors : {});
      setFailure(missing ?? 'Unexpected error');
      if (missing === undefined) toast.error('Unexpected error');
      focusWrong();
    } finally {
      setBusy(false);
    }
  };
  const type = (name: keyof Values, value: string) => setValues({ ...values, [name]: value });
  return {
    form,
    editing,
    values: editing ? values : valuesOf(profile),
    errors,
    failure,
    busy,
    edit,
    leave,
    save,
    type,
  };
}
