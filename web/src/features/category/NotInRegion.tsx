import { MapPinOff } from 'lucide-react';
import { Button, ButtonLink } from '../../ui/Button.js';
import { EmptyState } from '../../ui/States.js';

/** Nothing on this shelf, or nothing of it in the chosen place. */
export function NotInRegion({ onAll }: { readonly onAll: (() => void) | undefined }) {
  return (
    <EmptyState
      motif="water"
      icon={MapPinOff}
      paper
      title="Products are currently not in this region!!"
      line={
        onAll === undefined
          ? 'New goods come every day. Look at the rest of the market meanwhile.'
          : 'Some may lie outside of the filters that are set.'
      }
      action={
        onAll === undefined ? (
          <ButtonLink look="line" to="/">
            Go to the market
          </ButtonLink>
        ) : (
          <Button look="line" onClick={onAll}>
            All States/Local Govt
          </Button>
        )
      }
    />
  );
}
