import { pagePaths } from '@oja/contracts/pages';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { aNotice, setUpDashboard } from '../../../test/dashboard.js';
import { readEverythingAgain, renderAt, renderPart } from '../../../test/render.js';
import { aSeller } from '../../../test/sellers.js';
import { DashboardHeader } from '../../app/layouts/DashboardFrame.js';
import Notifications from './NotificationsPage.js';

const { server, toastTexts } = setUpDashboard();
const open = () =>
  renderAt('/dashboard/notifications', [
    { path: pagePaths.notifications, element: <Notifications /> },
  ]);
const clearAll = () => fireEvent.click(screen.getByRole('button', { name: 'clear all' }));

/** From now on there are no notices, and the answer that says so is held back. Returns what lets it go. */
function holdNotices(): () => void {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get('*/v1/notifications/unread/s7', async () => {
      await asked;
      return HttpResponse.json({ success: true, result: [], news: [], position: null });
    }),
  );
  return () => answer();
}

describe('notifications', () => {
  it('show name, quantity and the time in UTC, and are cleared up to what was seen', async () => {
    let position: string | null = null;
    server.use(
      http.delete('*/v1/notifications/read/s7', ({ request }) => {
        position = request.headers.get('Oja-Position');
        server.use(
          http.get('*/v1/notifications/unread/s7', () =>
            HttpResponse.json({ success: true, result: [], news: [], position: null }),
          ),
        );
        return HttpResponse.json({ success: true, message: 'Cleared' });
      }),
    );
    const { container } = open();
    expect(await screen.findByText('Field watch')).toBeTruthy();
    expect(screen.getByText('Quantity 2')).toBeTruthy();
    expect(screen.getByText('21-11-2026 09:42:10 UTC')).toBeTruthy();
    await expectAccessible(container);
    const clear = screen.getByRole('button', { name: 'clear all' });
    clear.focus();
    fireEvent.click(clear);
    expect(await screen.findByText('Nothing Ordered!!!')).toBeTruthy();
    expect(document.activeElement).toBe(clear);
    expect(position).toBe('log.7');
  });

  it('stay when reading them again fails', async () => {
    expectErrors(/The market could not be reached\. Try again\./);
    open();
    const notice = await screen.findByText('Field watch');
    server.use(http.get('*/v1/notifications/unread/s7', () => HttpResponse.error()));
    await readEverythingAgain();
    expect(notice.isConnected).toBe(true);
  });

  it('are counted by the bell, which names no number before they are known', async () => {
    const answer = holdNotices();
    renderPart(<DashboardHeader user={aSeller()} />);
    expect(screen.getByRole('link', { name: 'Notifications' })).toBeTruthy();
    answer();
    expect(await screen.findByRole('link', { name: 'Notifications, 0 unread' })).toBeTruthy();
  });

  it('are not cleared before they were seen', async () => {
    const answer = holdNotices();
    open();
    const clear = await screen.findByRole('button', { name: 'clear all' });
    expect(clear.hasAttribute('disabled')).toBe(true);
    answer();
    await waitFor(() => expect(clear.hasAttribute('disabled')).toBe(false));
  });

  it('that have come since the list was read stay, where it showed none', async () => {
    const cleared = vi.fn();
    const reads = (notices: readonly object[]) =>
      server.use(
        http.get('*/v1/notifications/unread/s7', () =>
          HttpResponse.json({
            success: true,
            result: notices,
            news: [],
            position: notices.length === 0 ? null : 'log.7',
          }),
        ),
        http.delete('*/v1/notifications/read/s7', () => {
          cleared();
          return HttpResponse.json({ success: true, message: 'Cleared' });
        }),
      );
    reads([]);
    open();
    await screen.findByText('Nothing Ordered!!!');
    reads([aNotice]);
    clearAll();
    expect(await screen.findByText('Field watch')).toBeTruthy();
    expect(cleared).not.toHaveBeenCalled();
    expect(toastTexts).toEqual(['No notifications to clear']);
  });

  it('say the words of the server when there was nothing to clear', async () => {
    server.use(
      http.delete('*/v1/notifications/read/s7', () =>
        HttpResponse.json({ message: 'No notifications to clear' }, { status: 404 }),
      ),
    );
    open();
    await screen.findByText('Field watch');
    clearAll();
    await waitFor(() => expect(toastTexts).toEqual(['No notifications to clear']));
  });
});
