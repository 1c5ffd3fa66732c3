import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import './styles/main.css';
import { queryClient } from './api/query-client.js';
import { hydrateQueries } from './app/rendered/hydration.js';
import {
  ensureHistoryEntryKey,
  preloadPage,
  registerServiceWorker,
  retryBrokenImages,
} from './app/startup.js';
import { patchForTranslation } from './app/translation.js';
import { routes } from './routes.js';
import { followOtherTabs } from './stores/persistent-store.js';
import { restoreSession } from './stores/session.js';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
const isRendered = hydrateQueries(queryClient);
// The rendered page can be scrolled and read already: two short tasks, loading and hydrating, block it less
// than one long one.
if (isRendered) await new Promise((resolve) => setTimeout(resolve));
ensureHistoryEntryKey(window);

retryBrokenImages(document, window);
patchForTranslation(document);
followOtherTabs();
void restoreSession();
registerServiceWorker();

const canHydrate = isRendered && (await preloadPage(routes, location.pathname));
const router = createBrowserRouter(routes, canHydrate ? { hydrationData: {} } : {});
const app = (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>
);
// As a transition, hydration yields to the browser between its steps, so that input meanwhile is answered.
if (canHydrate) startTransition(() => void hydrateRoot(root, app));
else createRoot(root).render(app);
