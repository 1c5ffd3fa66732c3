import { CloudAlert } from 'lucide-react';
import { useEffect } from 'react';
import { useRouteError } from 'react-router-dom';
import { ButtonLink } from '../ui/Button.js';
import { EmptyState } from '../ui/States.js';
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

/** A page that broke. Around it the market stands: the way home is a fresh start. */
export function BrokenPage() {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
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
