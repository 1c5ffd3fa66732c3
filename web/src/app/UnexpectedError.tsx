import { CloudAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useRouteError } from 'react-router-dom';
import { Button, ButtonLink } from '../ui/Button.js';
import { EmptyState, OfflineState } from '../ui/States.js';
import { PlainHeader } from './header/PlainHeader.js';
import { Screen } from './Screen.js';

/** An address that leads nowhere. */
export function UnknownRoute() {
  return (
    <Screen title="Unexpected Application Error!" className="page">
      <EmptyState
        motif="steps"
        icon={CloudAlert}
        headingLevel="h1"
        title="Unexpected Application Error!"
        line="There is nothing at this address. Your cart is where you left it."
        action={<ButtonLink to="/">Go to the market</ButtonLink>}
      />
    </Screen>
  );
}

/** What browsers say of a part of the app that did not come, each in its own words. */
const NOT_COME = /dynamically imported module|importing a module/i;

/** A part of the app that was never fetched before, asked for without a network. */
const isOutOfReach = (error: unknown): boolean =>
  !navigator.onLine && error instanceof TypeError && NOT_COME.test(error.message);

/** A page that broke. Around it the market stands: the way home is a fresh start. */
export function BrokenPage() {
  const error = useRouteError();
  const [outOfReach] = useState(() => isOutOfReach(error));
  useEffect(() => console.error(error), [error]);
  if (outOfReach)
    return (
      <>
        <PlainHeader />
        <Screen title="Offline" className="page">
          <OfflineState
            headingLevel="h1"
            action={
              <Button look="line" onClick={() => location.reload()}>
                Try again
              </Button>
            }
          />
        </Screen>
      </>
    );
  return (
    <>
      <PlainHeader />
      <Screen title="Unexpected Application Error!" className="page">
        <EmptyState
          motif="steps"
          icon={CloudAlert}
          headingLevel="h1"
          title="Unexpected Application Error!"
          line="This page broke. Nothing you did is lost."
          action={<ButtonLink to="/">Go to the market</ButtonLink>}
        />
      </Screen>
    </>
  );
}
