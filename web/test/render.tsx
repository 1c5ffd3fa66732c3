import { notifyManager, QueryClientProvider } from '@tanstack/react-query';
import { act, render, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import {
  createMemoryRouter,
  type Location,
  type RouteObject,
  RouterProvider,
} from 'react-router-dom';
import { queryClient } from '../src/api/query-client.js';

/** Renders routes with the app's own query cache, emptied. Other addresses render 'elsewhere'. */
export function renderAt(address: string | Location, routes: RouteObject[]) {
  queryClient.clear();
  const router = createMemoryRouter([...routes, { path: '*', element: <p>elsewhere</p> }], {
    initialEntries: [address],
  });
  const view = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { ...view, router };
}

/** Refetches all queries on screen and waits until the screen shows the results. */
export async function readEverythingAgain(): Promise<void> {
  await act(async () => {
    await queryClient.invalidateQueries();
    await new Promise<void>((shown) => notifyManager.schedule(shown));
  });
}

/** Resolves once no write is on its way: one that a press has begun just now is waited for too. */
export async function allIsSaid(): Promise<void> {
  await act(() => new Promise((next) => setTimeout(next)));
  await waitFor(() => {
    if (queryClient.isMutating() > 0) throw new Error('A write is on its way');
  });
}

/** Renders one part, with working links. */
export function renderPart(part: ReactNode) {
  return renderAt('/', [{ path: '/', element: part }]);
}
