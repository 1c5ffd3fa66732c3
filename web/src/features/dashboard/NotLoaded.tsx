import { Button } from './Button.js';
import { Message } from './Field.js';
import { useOnline } from './use-browser.js';

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
