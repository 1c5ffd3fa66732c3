import { pagePaths } from '@oja/contracts/pages';
import { CloudAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useRouteError } from 'react-router-dom';
import { Button, ButtonLink } from '../ui/Button.js';
import * as layout from '../ui/layout.module.css';
import { EmptyState, ErrorState, OfflineState } from '../ui/States.js';
import { PlainHeader } from './header/PlainHeader.js';
import { Screen } from './Screen.js';
import { Loading } from './Shell.js';
import { lookedForPart } from './start-page.js';

function Unexpected({ line }: { readonly line: string }) {
  const title = 'Unexpected Application Error!';
  return (
    <Screen title={title} className={layout.page}>
      <EmptyState
        motif="steps"
        icon={CloudAlert}
        headingLevel="h1"
        title={title}
        line={line}
        action={<ButtonLink to={pagePaths.home}>Go to the market</ButtonLink>}
      />
    </Screen>
  );
}

/** An address that leads nowhere. */
export function UnknownRoute() {
  return <Unexpected line="There is nothing at this address. Your cart is where you left it." />;
}

/** What browsers say of a part of the app that did not come, each in its own words, and the build of its styles. */
const NOT_COME = /dynamically imported module|importing a module|unable to preload/i;

/** A part of the app that was never fetched before, asked for without a network or of a market that is away. */
const isOutOfReach = (error: unknown): boolean =>
  error instanceof Error && NOT_COME.test(error.message);

/**
 * A page that broke. Around it the market stands: the way home is a fresh start.
 * @param framed it stands within its layout, whose header and ways on are there still
 */
export function BrokenPage({ framed = false }: { readonly framed?: boolean }) {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  const header = framed ? null : <PlainHeader />;
  if (isOutOfReach(error)) return <OutOfReach header={header} />;
  return (
    <>
      {header}
      <Unexpected line="This page broke. Nothing you did is lost." />
    </>
  );
}

const retry = () => location.reload();

/** A page whose part did not come. After a deploy a fresh load gets it, and so does a network that is back. */
function OutOfReach({ header }: { readonly header: ReactNode }) {
  const [looked, setLooked] = useState(false);
  const [online] = useState(() => navigator.onLine);
  useEffect(() => {
    let here = true;
    void lookedForPart().then(() => here && setLooked(true));
    return () => {
      here = false;
    };
  }, []);
  useEffect(() => {
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, []);
  if (!looked)
    return (
      <>
        {header}
        <Loading />
      </>
    );
  return (
    <>
      {header}
      <Screen title={online ? 'Not reached' : 'Offline'} className={layout.page}>
        {online ? (
          <ErrorState headingLevel="h1" onRetry={retry} />
        ) : (
          <OfflineState
            headingLevel="h1"
            action={
              <Button look="line" onClick={retry}>
                Try again
              </Button>
            }
          />
        )}
      </Screen>
    </>
  );
}
