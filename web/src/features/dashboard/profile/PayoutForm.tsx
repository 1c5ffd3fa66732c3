import { type FormEvent, useId, useState } from 'react';
import { ApiError, messageOf } from '../../../api/error.js';
import { type PayoutAccount, payoutAccountQuery, setPayoutAccount } from '../../../api/profile.js';
import { queryClient } from '../../../api/query-client.js';
import { Button } from '../../../ui/Button.js';
import { TextField } from '../../../ui/TextField.js';
import { toast } from '../../../ui/toast.js';
import { useFocusWrong } from '../../../ui/use-focus-wrong.js';
import { bankCode, banks } from './banks.js';

/** People know their bank by its name, which the server does not. */
const NO_SUCH_BANK = 'Choose your bank from the list, or type the 3 to 6 digits of its code';

const empty: PayoutAccount = { account_name: '', account_number: '', bank_code: '' };

interface PayoutFormProps {
  readonly account: PayoutAccount | null;
  readonly onDone: () => void;
}

/** Where money that was released is sent. */
export function PayoutForm({ account, onDone }: PayoutFormProps) {
  const [values, setValues] = useState(account ?? empty);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const { form, focusWrong } = useFocusWrong();
  const known = banks.find(([code]) => code === bankCode(values.bank_code));
  const listId = useId();
  const type = (name: keyof PayoutAccount) => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setValues({ ...values, [name]: target.value }),
  });

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setErrors({});
    try {
      const account_number = values.account_number.replace(/\s/g, '');
      const bank_code = bankCode(values.bank_code);
      await setPayoutAccount({ ...values, account_number, bank_code });
      await queryClient.invalidateQueries({ queryKey: payoutAccountQuery.queryKey });
      toast.success('Bank details saved');
      onDone();
    } catch (error) {
      const wrong = error instanceof ApiError ? error.errors : {};
      setErrors(wrong);
      // What is wrong with a field stands below it.
      if (Object.keys(wrong).length === 0) toast.error(messageOf(error));
      focusWrong();
    } finally {
      setBusy(false);
    }
  };
  return (
    <form ref={form} className="form" onSubmit={save} noValidate>
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
      <div className="row wrap">
        <Button look="line" className="grow" onClick={onDone}>
          Leave as it was
        </Button>
        <Button type="submit" className="grow" busy={busy}>
          Save bank details
        </Button>
      </div>
    </form>
  );
}
