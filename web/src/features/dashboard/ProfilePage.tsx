import { pagePaths } from '@oja/contracts/pages';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Pencil } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/error.js';
import { isRefused, missingFieldsOf } from '../../api/failures.js';
import {
  normalizeBusinessName,
  profileQuery,
  toPhoneDigits,
  updateProfile,
  updateUser,
} from '../../api/profile.js';
import { queryClient } from '../../api/query-client.js';
import type { Profile } from '../../api/types.js';
import * as dashboardFrameStyles from '../../app/layouts/DashboardFrame.module.css';
import { Screen } from '../../app/Screen.js';
import { createFormStorage, sellerFormsName } from '../../stores/form-storage.js';
import { currentUser, useIsSuspended, useUser } from '../../stores/session.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import { SellerSwatch } from '../../ui/Cloth.js';
import { Message, TextField, useFocusInvalid } from '../../ui/Field.js';
import * as fieldStyles from '../../ui/Field.module.css';
import { focusHeading } from '../../ui/focus.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Skeleton } from '../../ui/Skeleton.js';
import { LoadFailed } from '../../ui/States.js';
import { toast } from '../../ui/toast.js';
import { PanelNotLoaded, refetchAfterFailure } from './account-panel.js';
import { LettersPanel } from './LettersPanel.js';
import { PayoutPanel } from './PayoutPanel.js';
import * as styles from './ProfilePage.module.css';

/** The seller's own details, to view and to change. */
export default function ProfilePage() {
  const { data, isError, refetch } = useQuery(profileQuery);
  // What is typed into its panels stays while the details are read anew.
  const [isOpen, setIsOpen] = useState(false);
  if (data !== undefined && !isOpen) setIsOpen(true);
  return (
    <Screen title="Profile" className={layout.narrow}>
      <div className={layout.sectionHead}>
        <h1>Profile</h1>
      </div>
      {isError && !isOpen && <LoadFailed onRetry={() => void refetch()} />}
      {!isError && !isOpen && <Skeleton height={340} />}
      {isOpen && (
        <div className={`${layout.stack} ${layout.roomy}`}>
          <ProfilePanel profile={data} isError={isError} onRetry={() => void refetch()} />
          <PayoutPanel />
          <LettersPanel />
          <section
            className={`${panelStyles.panel} ${layout.row} ${layout.spaceBetween} ${layout.wrap}`}
            aria-label="Password"
          >
            <h2 className={`${layout.heading} ${layout.atTop}`}>Password</h2>
            <ButtonLink look="line" size="s" to={pagePaths.password}>
              <Icon of={KeyRound} size="s" />
              Change password
            </ButtonLink>
          </section>
        </div>
      )}
    </Screen>
  );
}

interface ProfilePanelProps {
  /** Undefined while nobody knows what it is, because the answer to a change was lost. */
  readonly profile: Profile | undefined;
  readonly isError: boolean;
  readonly onRetry: () => void;
}

/** Name, business name and phone number, read-only until 'edit details' is pressed. */
function ProfilePanel({ profile, isError, onRetry }: ProfilePanelProps) {
  const { form, edit, leave, save, type, ...shown } = useProfileForm(profile);
  const { editing, values, errors, failure, busy } = shown;
  const user = useUser();
  const suspended = useIsSuspended();
  const opener = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(editing);
  useEffect(() => {
    if (wasEditing.current === editing) return;
    wasEditing.current = editing;
    // The pressed button is gone: what it opened goes on at the first field, and back at the opener.
    if (editing) form.current?.querySelector('input')?.focus();
    else if (opener.current !== null) opener.current.focus();
    else focusHeading();
  }, [editing, form]);
  const retry = () => {
    onRetry();
    focusHeading();
  };
  const isShown = editing || profile !== undefined;
  return (
    <section className={panelStyles.panel} aria-label="Your details">
      <div className={`${layout.row} ${layout.spaceBetween} ${layout.wrap} ${styles.head}`}>
        <SellerSwatch sellerId={user?.user_id ?? ''} size={56} />
        {!editing && isShown && !suspended && (
          <Button ref={opener} look="line" size="s" onClick={edit}>
            <Icon of={Pencil} size="s" />
            edit details
          </Button>
        )}
      </div>
      {failure !== undefined && (
        <Message kind="err" role="alert" className={dashboardFrameStyles.failure}>
          {failure}
        </Message>
      )}
      {!isShown && !isError && <Skeleton height={240} />}
      {!isShown && isError && <PanelNotLoaded what="Your details" onRetry={retry} />}
      {isShown && (
        <form ref={form} className={fieldStyles.form} onSubmit={save} noValidate>
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
            <div className={`${layout.row} ${layout.wrap}`}>
              <Button look="line" className={layout.grow} busy={busy} onClick={leave}>
                Leave as it was
              </Button>
              <Button type="submit" className={layout.grow} busy={busy}>
                Update Profile
              </Button>
            </div>
          )}
        </form>
      )}
    </section>
  );
}

const profileFields = [
  { name: 'name', label: 'Name', autoComplete: 'name' },
  { name: 'businessName', label: 'Business name', autoComplete: 'organization' },
  { name: 'phone_1', label: 'Phone number', autoComplete: 'tel-national' },
] as const;

type Values = Readonly<Record<(typeof profileFields)[number]['name'], string>>;

const fieldNames = profileFields.map(({ name }) => name);

/** What a seller has typed and that is neither saved nor being saved: a session that ends meanwhile does not lose it. */
const profileStorage = (userId: string) => createFormStorage(sellerFormsName(userId), fieldNames);

const toValues = (profile: Profile | undefined): Values => ({
  name: profile?.name ?? '',
  businessName: profile?.businessName ?? '',
  phone_1: profile?.phone_1 ?? '',
});

/** A message with the labels of the missing fields; undefined when none is missing. */
function missingFieldsText(missing: readonly string[]): string | undefined {
  if (missing.length === 0) return undefined;
  const labels = missing.map(
    (field) => profileFields.find(({ name }) => name === field)?.label ?? field,
  );
  return `Please fill in: ${labels.join(', ')}`;
}

/** The fields as the form was opened with them, without those that may be saved already. */
type OpenedValues = Partial<Values>;

const pickUnchanged = (values: Values, opened: OpenedValues): OpenedValues =>
  Object.fromEntries(
    fieldNames.filter((one) => values[one] === opened[one]).map((one) => [one, values[one]]),
  );

/**
 * What to save: of each field what was typed, or else what the market has now. Another tab or phone may have changed
 * it since this form was opened, and all fields are saved together.
 */
async function mergeWithNewest(typed: Values, opened: OpenedValues): Promise<Values> {
  const newest = toValues(await queryClient.fetchQuery({ ...profileQuery, staleTime: 0 }));
  const of = (name: keyof Values) => (typed[name] === opened[name] ? newest : typed)[name];
  return { name: of('name'), businessName: of('businessName'), phone_1: of('phone_1') };
}

/** State of the details form: view, edit, and view again after a save, which updates the signed-in user everywhere. */
function useProfileForm(profile: Profile | undefined) {
  const userId = useUser()?.user_id ?? '';
  const formStorage = profileStorage(userId);
  const [opened, setOpened] = useState<OpenedValues>(() => toValues(profile));
  const suspended = useIsSuspended();
  const [before] = useState(() => (suspended ? {} : formStorage.load()));
  const [values, setValues] = useState<Values>({ ...toValues(profile), ...before });
  const [editing, setEditing] = useState(Object.keys(before).length > 0);
  const latest = useRef(values);
  latest.current = values;
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { form, focusInvalid } = useFocusInvalid();

  const keep = (now: Values) => {
    const changed = fieldNames.filter((one) => now[one] !== opened[one]);
    formStorage.save(Object.fromEntries(changed.map((one) => [one, now[one]])));
  };
  const edit = () => {
    setValues(toValues(profile));
    setOpened(toValues(profile));
    setEditing(true);
  };
  const leave = () => {
    formStorage.save({});
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
    formStorage.save({});
    const wasOnline = navigator.onLine;
    try {
      const { name, ...wanted } = await mergeWithNewest(values, opened);
      const phone_1 = toPhoneDigits(wanted.phone_1);
      const businessName = normalizeBusinessName(wanted.businessName);
      const saved = await updateProfile(userId, { name, businessName, phone_1 });
      updateUser(saved);
      if (currentUser()?.user_id === saved.user_id)
        queryClient.setQueryData(profileQuery.queryKey, saved);
      const now = latest.current;
      const typedMeanwhile = fieldNames.filter((one) => now[one] !== values[one]);
      if (typedMeanwhile.length === 0) leave();
      const newer = Object.fromEntries(typedMeanwhile.map((one) => [one, now[one]]));
      formStorage.save(newer);
      setOpened(toValues(saved));
      setValues({ ...toValues(saved), ...newer });
      toast.success('Profile updated successfully');
    } catch (error) {
      console.error(error);
      keep(latest.current);
      // What was before is typed again by whoever wants it back.
      if (!isRefused(error)) setOpened(pickUnchanged(values, opened));
      void refetchAfterFailure(error, profileQuery.queryKey, wasOnline).then(() => {
        const newest = queryClient.getQueryData(profileQuery.queryKey);
        if (newest !== undefined) updateUser(newest);
      });
      const missing = missingFieldsText(missingFieldsOf(error));
      setErrors(error instanceof ApiError ? error.errors : {});
      setFailure(missing ?? 'Unexpected error');
      if (missing === undefined) toast.error('Unexpected error');
      focusInvalid();
    } finally {
      setBusy(false);
    }
  };
  const type = (name: keyof Values, value: string) => {
    const now = { ...values, [name]: value };
    keep(now);
    setValues(now);
  };
  return {
    form,
    editing,
    values: editing ? values : toValues(profile),
    errors,
    failure,
    busy,
    edit,
    leave,
    save,
    type,
  };
}
