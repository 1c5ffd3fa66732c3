import { ReceiptText } from 'lucide-react';
import { ApiError } from '../api/error.js';
import { ButtonLink } from '../ui/Button.js';
import * as layout from '../ui/layout.module.css';
import { Skeleton } from '../ui/Skeleton.js';
import { EmptyState, LoadFailed } from '../ui/States.js';
import { Screen } from './Screen.js';

interface AbsentOrderProps {
  readonly className?: string;
  /** What people of this page call an order. */
  readonly title: string;
  /** Why it could not be read; null while it is. */
  readonly error: Error | null;
  readonly onRetry: () => void;
  /** What is said of one that is not there, and the way to all that are. */
  readonly unknown: { readonly title: string; readonly all: string; readonly to: string };
}

/** The page of one order while that is not here: on its way, not there at all, or out of reach. */
export function AbsentOrder({ className, title, error, onRetry, unknown }: AbsentOrderProps) {
  const isUnknown = error instanceof ApiError && error.status === 404;
  return (
    <Screen title={title} className={className}>
      {!isUnknown && <h1 className={layout.visuallyHidden}>{title}</h1>}
      {error === null && (
        <div className={layout.section}>
          <Skeleton height={420} />
        </div>
      )}
      {isUnknown && (
        <EmptyState
          motif="steps"
          icon={ReceiptText}
          headingLevel="h1"
          title={unknown.title}
          action={<ButtonLink to={unknown.to}>{unknown.all}</ButtonLink>}
        />
      )}
      {error !== null && !isUnknown && <LoadFailed onRetry={onRetry} />}
    </Screen>
  );
}
