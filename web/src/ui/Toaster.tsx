import { useEffect } from 'react';
import { Toaster as Sonner, toast as sonner } from 'sonner';
import { ToastBody } from './ToastBody.js';
import { takeToasts } from './toast.js';

/** Of toast.css, which knows how high the header is. */
const UNDER_HEADER = { top: 'var(--toast-top)' };

/**
 * Top centre under the header. The list is a polite live region and stands in the page before anything is said, so
 * that readers hear the first toast too. Loaded after first paint.
 */
export default function Toaster() {
  useEffect(
    () =>
      takeToasts((request) => {
        sonner.custom((id) => <ToastBody {...request} onEnd={() => sonner.dismiss(id)} />, {
          /** The body keeps the time, since only it knows of focus. */
          duration: Number.POSITIVE_INFINITY,
        });
      }),
    [],
  );
  return (
    <Sonner
      position="top-center"
      offset={UNDER_HEADER}
      mobileOffset={UNDER_HEADER}
      containerAriaLabel="Messages"
      gap={10}
    />
  );
}
