import { ReceiptText } from 'lucide-react';
import { isAbsent } from '../api/failures.js';
import { ButtonLink } from '../ui/Button.js';
import * as layout from '../ui/layout.module.css';
import { Skeleton } from '../ui/Skeleton.js';
import { EmptyState, LoadFailed } from '../ui/States.js';
import { Screen } from './Screen.js';

interface AbsentOrderProps {
  readonly className?: string;
  /** What this page calls an order ('Order', 'Receipt'). */
  readonly title: string;
  /** Why the order could not be read; null while it is loading. */
  readonly error: Error | null;
  readonly onRetry: () => void;
  /** The message for an order that does not exist, and the link to the list of all orders. */
  readonly unknown: { readonly title: string; readonly all: string; readonly to: string };
}

/** Shown in place of one order that is loading, does not exist, or could not be reached. */
export function AbsentOrder({ className, title, error, onRetry, unknown }: AbsentOrderProps) {
  const isUnknown = isAbsent(error);
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
