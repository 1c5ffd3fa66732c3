import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import './styles/main.css';
import { queryClient } from './api/query-client.js';
import { hydrateQueries } from './app/rendered/handed-over.js';
import {
  loadPage,
  mendPictures,
  nameHistoryEntry,
  registerServiceWorker,
} from './app/start-page.js';
import { followTranslation } from './app/translation.js';
import { routes } from './routes.js';
import { followOtherTabs } from './stores/kept.js';
import { restoreSession } from './stores/session.js';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
const isRendered = hydrateQueries(queryClient);
// The rendered page can be scrolled and read already: two short tasks, loading and hydrating, block it less
// than one long one.
if (isRendered) await new Promise((resolve) => setTimeout(resolve));
nameHistoryEntry(window);

mendPictures(document, window);
followTranslation(document);
followOtherTabs();
void restoreSession();
registerServiceWorker();

const stands = isRendered && (await loadPage(routes, location.pathname));
const router = createBrowserRouter(routes, stands ? { hydrationData: {} } : {});
const app = (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>
);
// As a transition, hydration yields to the browser between its steps, so that input meanwhile is answered.
if (stands) startTransition(() => void hydrateRoot(root, app));
else createRoot(root).render(app);
