import { RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { ApiError } from '../../api/error.js';
import { Button } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import { ErrorState, OfflineState } from '../../ui/States.js';
import { ConfirmationSkeleton } from './ConfirmationSkeleton.js';
import { OrderSettled } from './OrderSettled.js';
import { stateOf } from './order-view.js';
import { Question } from './Question.js';
import { UnknownOrder } from './UnknownOrder.js';
import { useOrder } from './use-order.js';

interface OrderToConfirmProps {
  readonly orderKey: string;
  /** The server knows it. */
  readonly onKnown: () => void;
}

/** One order, whatever has become of it. */
export function OrderToConfirm({ orderKey, onKnown }: OrderToConfirmProps) {
  const { data, error, fetchStatus, refetch } = useOrder(orderKey);
  const known = data !== undefined;
  useEffect(() => {
    if (known) onKnown();
  }, [known, onKnown]);

  if (data !== undefined) {
    const state = stateOf(data);
    return state === 'asked' ? (
      <Question order={data} />
    ) : (
      <OrderSettled order={data} state={state} />
    );
  }
  if (error instanceof ApiError && error.status === 404)
    return <UnknownOrder orderKey={orderKey} />;
  return (
    <NotLoaded error={error} paused={fetchStatus === 'paused'} onRetry={() => void refetch()} />
  );
}

interface NotLoadedProps {
  readonly error: Error | null;
  readonly paused: boolean;
  readonly onRetry: () => void;
}

function NotLoaded({ error, paused, onRetry }: NotLoadedProps) {
  const offline = paused || (error instanceof ApiError && error.code === 'offline');
  if (error === null && !offline) return <ConfirmationSkeleton />;
  return (
    <>
      <h1 className="vh">Have you received the product?</h1>
      {offline ? (
        <OfflineState
          action={
            <Button look="line" onClick={onRetry}>
              <Icon of={RefreshCw} size="s" />
              Try again
            </Button>
          }
        />
      ) : (
        <ErrorState onRetry={onRetry} />
      )}
    </>
  );
}
