import type { QueryKey } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError } from '../../api/error.js';
import { errorMessage, isRefused } from '../../api/failures.js';
import { invalidate, queryClient } from '../../api/query-client.js';
import { currentUser } from '../../stores/session.js';
import { Button } from '../../ui/Button.js';
import { Message, useFocusInvalid } from '../../ui/Field.js';
import { toast } from '../../ui/toast.js';
import { useOnline } from '../../ui/use-browser.js';

interface PanelNotLoadedProps {
  /** As at the start of a sentence: 'Your address'. */
  readonly what: string;
  readonly onRetry: () => void;
}

/** For one panel of a loaded page: what did not load, whether the browser is offline, and a retry button. */
export function PanelNotLoaded({ what, onRetry }: PanelNotLoadedProps) {
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

/** Drops the query's data and fetches it again; until then a panel shows nothing of it. */
const resetQuery = (queryKey: QueryKey) => queryClient.resetQueries({ queryKey });

/**
 * Fetches a panel's data again after a failed write. If the write was refused, or nothing was sent for lack of a network,
 * the old data stays until the answer comes. Otherwise the write may have been done: the old data is dropped at once.
 * @param wasOnline whether there was a network when the write began
 */
export const refetchAfterFailure = (
  error: unknown,
  queryKey: QueryKey,
  wasOnline: boolean,
): Promise<void> => (isRefused(error) || !wasOnline ? invalidate(queryKey) : resetQuery(queryKey));

/** Writes what a panel shows, then fetches it again, also after a failure. @throws what `write` throws */
export async function writeAndRefetch(
  queryKey: QueryKey,
  write: () => Promise<void>,
): Promise<void> {
  const wasOnline = navigator.onLine;
  try {
    await write();
  } catch (error) {
    void refetchAfterFailure(error, queryKey, wasOnline);
    throw error;
  }
  await invalidate(queryKey);
  if (queryClient.getQueryState(queryKey)?.status === 'error') void resetQuery(queryKey);
}

/** A read that was under way when the session ended has failed too, and its own message would not tell why. */
const SESSION_ENDED = 'Your session has ended. Please log in again.';

/**
 * A form that a button has opened, and that makes one call. The button is gone, so the first field gets the focus, but not
 * if the page itself has opened the form with what was typed before.
 * Returns the answer's errors by field name and focuses the first invalid field; any other error shows a toast.
 */
export function useFocusedForm(send: () => Promise<void>, isRestored = false) {
  const [takesFocus] = useState(!isRestored);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const { form, focusInvalid } = useFocusInvalid();
  useEffect(() => {
    if (takesFocus) form.current?.querySelector('input')?.focus();
  }, [form, takesFocus]);
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
      // A field's own error is shown below the field.
      if (Object.keys(wrong).length === 0)
        toast.error(currentUser() === null ? SESSION_ENDED : errorMessage(error));
      focusInvalid();
    } finally {
      setBusy(false);
    }
  };
  return { form, errors, busy, submit };
}
