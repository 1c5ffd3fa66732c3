import { ReceiptText } from 'lucide-react';
import { isNotFound } from '../api/failures.js';
import { ButtonLink } from '../ui/Button.js';
import * as layout from '../ui/layout.module.css';
import { Skeleton } from '../ui/Skeleton.js';
import { EmptyState, LoadFailed } from '../ui/States.js';
import { Screen } from './Screen.js';

interface OrderFallbackProps {
  readonly className?: string;
  /** What this page calls an order ('Order', 'Receipt'). */
  readonly title: string;
  /** Why the order could not be read; null while it is loading. */
  readonly error: Error | null;
  readonly onRetry: () => void;
  /** The message for an order that does not exist, and the link to the list of all orders. */
  readonly notFound: { readonly title: string; readonly all: string; readonly to: string };
}

/** Shown in place of one order that is loading, does not exist, or could not be reached. */
export function OrderFallback({ className, title, error, onRetry, notFound }: OrderFallbackProps) {
  const isMissing = isNotFound(error);
  return (
    <Screen title={title} className={className}>
      {!isMissing && <h1 className={layout.visuallyHidden}>{title}</h1>}
      {error === null && (
        <div className={layout.section}>
          <Skeleton height={420} />
        </div>
      )}
      {isMissing && (
        <EmptyState
          motif="steps"
          icon={ReceiptText}
          headingLevel="h1"
          title={notFound.title}
          action={<ButtonLink to={notFound.to}>{notFound.all}</ButtonLink>}
        />
      )}
      {error !== null && !isMissing && <LoadFailed onRetry={onRetry} />}
    </Screen>
  );
}
