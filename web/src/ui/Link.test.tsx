import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderAt } from '../../test/render.js';
import { Link } from './Link.js';

const link = () => screen.getByRole('link', { name: 'Away' });

it('goes to a page of the app, and replaces the history entry when asked to', async () => {
  const { router } = renderAt('/start', [
    { path: '/start', element: <Link to="/away?page=2">Away</Link> },
    {
      path: '/away',
      element: (
        <Link to="/third" replace state="kept">
          Away
        </Link>
      ),
    },
  ]);
  expect(link().getAttribute('href')).toBe('/away?page=2');
  fireEvent.click(link());
  await expect.poll(() => router.state.location.pathname).toBe('/away');
  expect(router.state.historyAction).toBe('PUSH');
  fireEvent.click(link());
  await expect.poll(() => router.state.location.pathname).toBe('/third');
  expect(router.state).toMatchObject({ historyAction: 'REPLACE', location: { state: 'kept' } });
});

it.each([
  ['the control key opens a new tab', { ctrlKey: true }],
  ['the middle button opens a new tab', { button: 1 }],
])('leaves a press to the browser: %s', (_, press) => {
  const { router } = renderAt('/start', [
    { path: '/start', element: <Link to="/away">Away</Link> },
  ]);
  expect(fireEvent.click(link(), press)).toBe(true);
  expect(router.state.location.pathname).toBe('/start');
});

it('does not go where its own handler has stopped it', () => {
  const { router } = renderAt('/start', [
    {
      path: '/start',
      element: (
        <Link to="/away" onClick={(event) => event.preventDefault()}>
          Away
        </Link>
      ),
    },
  ]);
  fireEvent.click(link());
  expect(router.state.location.pathname).toBe('/start');
});
