import { pagePaths } from '@oja/contracts/pages';
import { CloudAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useRouteError } from 'react-router-dom';
import { Button, ButtonLink } from '../ui/Button.js';
import * as layout from '../ui/layout.module.css';
import { EmptyState, ErrorState, OfflineState } from '../ui/States.js';
import { PlainHeader } from './header/PlainHeader.js';
import { Screen } from './Screen.js';
import { Loading, signalAppReady } from './Shell.js';
import { reloadForMissingChunk } from './startup.js';

function Unexpected({ what }: { readonly what: string }) {
  const title = 'Unexpected Application Error!';
  return (
    <Screen title={title} className={layout.page}>
      <EmptyState
        motif="steps"
        icon={CloudAlert}
        headingLevel="h1"
        title={title}
        line={`${what} Nothing you did is lost.`}
        action={<ButtonLink to={pagePaths.home}>Go to the market</ButtonLink>}
      />
    </Screen>
  );
}

/** The page of an unknown address. */
export function UnknownRoute() {
  return <Unexpected what="There is nothing at this address." />;
}

/** The messages with which the browsers, and the build's style preloader, report a chunk that failed to load. */
const CHUNK_LOAD_ERROR = /dynamically imported module|importing a module|unable to preload/i;

/** Whether a chunk that was never fetched before failed to load: no network, or the market is down. */
const isChunkLoadError = (error: unknown): boolean =>
  error instanceof Error && CHUNK_LOAD_ERROR.test(error.message);

/**
 * The page of an uncaught error. Its link home starts afresh.
 * @param inLayout the page stands within its layout, which still shows the header and navigation
 */
export function BrokenPage({ inLayout = false }: { readonly inLayout?: boolean }) {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  // It may stand in place of the shell, which tells it otherwise.
  useEffect(signalAppReady, []);
  const header = inLayout ? null : <PlainHeader />;
  if (isChunkLoadError(error)) return <ChunkNotLoaded header={header} />;
  return (
    <>
      {header}
      <Unexpected what="This page broke." />
    </>
  );
}

const retry = () => location.reload();

/** A page whose chunk failed to load. A reload gets it after a deploy, or once the network is back. */
function ChunkNotLoaded({ header }: { readonly header: ReactNode }) {
  const [hasTriedReload, setHasTriedReload] = useState(false);
  const [online] = useState(() => navigator.onLine);
  useEffect(() => {
    let isMounted = true;
    void reloadForMissingChunk().then(() => isMounted && setHasTriedReload(true));
    return () => {
      isMounted = false;
    };
  }, []);
  useEffect(() => {
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, []);
  return (
    <>
      {header}
      {hasTriedReload ? (
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
      ) : (
        <Loading />
      )}
    </>
  );
}
