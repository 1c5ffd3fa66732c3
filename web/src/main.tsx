import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createPath, RouterProvider } from 'react-router-dom';
import './styles/main.css';
import { queryClient } from './api/query-client.js';
import { reloadWhenChunkGone } from './app/chunk-gone.js';
import { registerServiceWorker } from './app/service-worker.js';
import { router } from './routes.js';
import { followOtherTabs } from './stores/auth-storage.js';
import { restoreSession } from './stores/session.js';

reloadWhenChunkGone(() => {
  const { location } = router.state.navigation;
  return location === undefined ? null : createPath(location);
});
followOtherTabs();
void restoreSession();
registerServiceWorker();

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
