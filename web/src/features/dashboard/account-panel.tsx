import { type FormEvent, useState } from 'react';
import { ApiError, messageOf } from '../../api/error.js';
import { Button } from '../../ui/Button.js';
import { Message, useFocusWrong } from '../../ui/Field.js';
import { toast } from '../../ui/toast.js';
import { useOnline } from '../../ui/use-browser.js';

interface NotLoadedProps {
  /** As it begins a sentence: 'Your address'. */
  readonly what: string;
  readonly onRetry: () => void;
}

/** In a panel of a page that stands otherwise: what did not load, whether for want of a network, and the way on. */
export function NotLoaded({ what, onRetry }: NotLoadedProps) {
  const online = useOnline();
  const [first, ...rest] = what;
  return (
    <>
      <Message kind="err" role="alert">
        {online
          ? `${what} did not load.`
          : `You are offline: ${first?.toLowerCase()}${rest.join('')} did not load.`}
      </Message>
      <Button look="line" size="s" onClick={onRetry}>
        Try again
      </Button>
    </>
  );
}

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
