import { type FormEvent, useState } from 'react';
import { ApiError, messageOf } from '../../api/error.js';
import { useFocusWrong } from '../../ui/Field.js';
import { toast } from '../../ui/toast.js';

/** A form of one call: what is wrong stands at its field, by the field's name, and the focus goes there. */
export function useSending(send: () => Promise<void>) {
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const { form, focusWrong } = useFocusWrong();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setErrors({});
    try {
      await send();
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
  return { form, errors, busy, submit };
}
