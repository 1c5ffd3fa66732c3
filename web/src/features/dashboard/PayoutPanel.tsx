import { bankCode, bankName, banks, cleanLine } from '@oja/domain/rules/user-input';
import { useQuery } from '@tanstack/react-query';
import { Landmark, Pencil } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { type PayoutAccount, payoutAccountQuery, setPayoutAccount } from '../../api/profile.js';
import { queryClient } from '../../api/query-client.js';
import { createFormStorage, sellerFormsName } from '../../stores/form-storage.js';
import { useIsSuspended, useUser } from '../../stores/session.js';
import { Button } from '../../ui/Button.js';
import { Message, PasswordField, TextField } from '../../ui/Field.js';
import * as fieldStyles from '../../ui/Field.module.css';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Skeleton } from '../../ui/Skeleton.js';
import { toast } from '../../ui/toast.js';
import { PanelNotLoaded, useFocusedForm, writeAndRefetch } from './account-panel.js';
import * as styles from './ProfilePage.module.css';

/** Optional bank details. They are stored encrypted; only the payout and the seller read them. */
export function PayoutPanel() {
  const { data: account, isError, refetch } = useQuery(payoutAccountQuery);
  const suspended = useIsSuspended();
  const formStorage = payoutStorage(useUser()?.user_id ?? '');
  const [wanted, setWanted] = useState(() => !suspended && hasText(formStorage.load()));
  // What was typed before goes over the account, which is not read yet.
  const [isRead, setIsRead] = useState(false);
  if (account !== undefined && !isRead) setIsRead(true);
  const editing = wanted && isRead;
  const heading = useRef<HTMLHeadingElement>(null);
  // The pressed button is gone: keyboard navigation goes on from here, not from the top of the page.
  const focusHeadingOfPanel = () => heading.current?.focus();
  const closeForm = () => {
    formStorage.save({});
    setWanted(false);
    focusHeadingOfPanel();
  };
  const retry = () => {
    void refetch();
    focusHeadingOfPanel();
  };
  return (
    <section className={panelStyles.panel} aria-label="Bank details">
      <div className={`${layout.row} ${layout.spaceBetween} ${layout.wrap}`}>
        <h2 ref={heading} tabIndex={-1} className={`${layout.heading} ${layout.atTop}`}>
          Bank details
        </h2>
        {!editing && !suspended && account !== undefined && (
          <Button look="line" size="s" onClick={() => setWanted(true)}>
            <Icon of={account === null ? Landmark : Pencil} size="s" />
            {account === null ? 'Add bank details' : 'Change'}
          </Button>
        )}
      </div>
      {!editing && account === undefined && !isError && <Skeleton height={40} />}
      {!editing && account === undefined && isError && (
        <PanelNotLoaded what="Your bank details" onRetry={retry} />
      )}
      {editing && (
        <PayoutForm account={account ?? null} formStorage={formStorage} onDone={closeForm} />
      )}
      {!editing && account === null && (
        <p className={`${layout.muted} ${styles.reply}`}>
          Not needed to sell. Your released money is sent there.
        </p>
      )}
      {!editing && account && (
        <p className={styles.reply}>
          <b className={styles.typed}>{account.account_name}</b>
          <br />
          <span className={layout.figures}>{account.account_number}</span>,{' '}
          {bankName(account.bank_code)}
        </p>
      )}
    </section>
  );
}

/** Replaces the server's error: sellers know their bank by its name, the server only by its code. */
const NO_SUCH_BANK = 'Choose your bank from the list, or type the 3 to 6 digits of its code';

const empty: PayoutAccount = { account_name: '', account_number: '', bank_code: '' };
type Values = PayoutAccount & { readonly password: string };

const fieldNames = ['account_name', 'account_number', 'bank_code'] as const;

/** What a seller has typed and that is not saved yet: a session that ends meanwhile does not lose it. */
const payoutStorage = (userId: string) => createFormStorage(sellerFormsName(userId), fieldNames);
const hasText = (kept: object) => Object.keys(kept).length > 0;

const isSameAccount = (one: PayoutAccount | null, other: PayoutAccount | null) =>
  one?.account_name === other?.account_name &&
  one?.account_number === other?.account_number &&
  one?.bank_code === other?.bank_code;

interface PayoutFormProps {
  /** As it is when the form opens. */
  readonly account: PayoutAccount | null;
  readonly formStorage: ReturnType<typeof payoutStorage>;
  readonly onDone: () => void;
}

/**
 * The form for the account to which released money is sent. An account that was set elsewhere meanwhile is shown before
 * it is replaced.
 */
function PayoutForm({ account, formStorage, onDone }: PayoutFormProps) {
  const [kept] = useState(formStorage.load);
  const [opened] = useState(account ?? empty);
  const [values, setValues] = useState<Values>({ ...opened, ...kept, password: '' });
  const typed = useRef(values);
  typed.current = values;
  /** The accounts that need no warning when they are stored: the former one, and those that this form has sent or shown. */
  const expected = useRef([account]);
  const [otherAccount, setOtherAccount] = useState<PayoutAccount | null>(null);
  const { form, errors, busy, submit } = useFocusedForm(async () => {
    const wanted = {
      account_name: cleanLine(values.account_name),
      account_number: values.account_number.replace(/\s/g, ''),
      bank_code: bankCode(values.bank_code),
    };
    const newest = await queryClient.fetchQuery({ ...payoutAccountQuery, staleTime: 0 });
    const isExpected = [null, wanted, ...expected.current].some((one) =>
      isSameAccount(one, newest),
    );
    expected.current.push(isExpected ? wanted : newest);
    setOtherAccount(isExpected ? null : newest);
    if (!isExpected) return;
    const { password } = values;
    await writeAndRefetch(payoutAccountQuery.queryKey, () =>
      setPayoutAccount({ ...wanted, password }),
    );
    toast.success('Bank details saved');
    // What was typed meanwhile is not saved yet.
    if (typed.current === values) onDone();
  }, hasText(kept));
  const known = banks.find(([code]) => code === bankCode(values.bank_code));
  const listId = useId();
  const type = (name: keyof Values) => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) => {
      const now = { ...values, [name]: target.value };
      const changed = fieldNames.filter((one) => now[one] !== opened[one]);
      formStorage.save(Object.fromEntries(changed.map((one) => [one, now[one]])));
      setValues(now);
    },
  });

  return (
    <form ref={form} className={fieldStyles.form} onSubmit={submit} noValidate>
      <TextField label="Account name" autoComplete="off" {...type('account_name')} />
      <TextField
        label="Account number"
        hint="The 10 digits of the account"
        figures
        inputMode="numeric"
        autoComplete="off"
        {...type('account_number')}
      />
      <TextField
        label="Bank"
        hint="Your bank's name or its code"
        ok={known?.[1]}
        list={listId}
        autoComplete="off"
        {...type('bank_code')}
        error={errors.bank_code && NO_SUCH_BANK}
      />
      <datalist id={listId}>
        {banks.map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </datalist>
      <PasswordField
        label="Your password"
        hint="Asked again, so that nobody else can redirect your money"
        autoComplete="current-password"
        {...type('password')}
      />
      {otherAccount !== null && (
        <Message kind="warn" role="alert">
          Another page or device has meanwhile set{' '}
          <span className={styles.typed}>{otherAccount.account_name}</span>,{' '}
          {otherAccount.account_number}, {bankName(otherAccount.bank_code)}. Save again to replace
          it.
        </Message>
      )}
      <div className={`${layout.row} ${layout.wrap}`}>
        <Button look="line" className={layout.grow} busy={busy} onClick={onDone}>
          Leave as it was
        </Button>
        <Button type="submit" className={layout.grow} busy={busy}>
          Save bank details
        </Button>
      </div>
    </form>
  );
}
