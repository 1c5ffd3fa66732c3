import { type ComponentType, useState } from 'react';
import { toast } from './toast.js';

/**
 * A dialog whose code is loaded when a press opens it. If it does not come, a toast says so and the page stays as it
 * is. The next press asks again; code that a deploy has replaced comes with a reload.
 */
export function useLazyDialog<Props>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
) {
  /** The dialog while it is open. */
  const [Opened, setOpened] = useState<ComponentType<Props>>();
  const open = () => {
    load().then(
      ({ default: Dialog }) => setOpened(() => Dialog),
      // The browser itself names the file in its console.
      () => toast.error('That did not load. Try again.'),
    );
  };
  return { Opened, open, close: () => setOpened(undefined) };
}
