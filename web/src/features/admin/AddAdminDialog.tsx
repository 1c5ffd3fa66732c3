import { type FormEvent, useId, useState } from 'react';
import { setSubAdmin } from '../../api/admin.js';
import { messageOf } from '../../api/error.js';
import { missingFieldsOf } from '../../api/missing-fields.js';
import { queryClient } from '../../api/query-client.js';
import { Button } from '../../ui/Button.js';
import { Dialog } from '../../ui/Dialog.js';
import { TextField } from '../../ui/TextField.js';
import { toast } from '../../ui/toast.js';

/** What the missing fields are called here. */
const missingWords = (missing: readonly string[]) =>
  missing.map((field) => (field === 'sellerId' ? 'Seller ID' : field)).join(', ');

/** Takes a seller's id and makes them a sub-admin. */
export function AddAdminDialog({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const formId = useId();
  const [sellerId, setSellerId] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await setSubAdmin(sellerId.trim(), true);
      toast.success('Admin added successfully');
      setSellerId('');
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['admin'] });
    } catch (failure) {
      const missing = missingFieldsOf(failure);
      setError(
        missing.length > 0 ? `Please fill in: ${missingWords(missing)}` : messageOf(failure),
      );
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add An Admin"
      foot={
        <Button type="submit" form={formId} full busy={busy}>
          Add admin
        </Button>
      }
    >
      <form id={formId} onSubmit={submit} noValidate>
        <TextField
          label="Seller ID"
          hint="It stands on the seller's card. A sub-admin looks at sellers and orders."
          autoComplete="off"
          spellCheck={false}
          error={error}
          value={sellerId}
          onChange={(event) => setSellerId(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
