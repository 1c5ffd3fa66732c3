import { pagePaths } from '@oja/contracts/pages';
import { wordsOf } from './push-words.js';

const NOTICES = pagePaths.notifications;

/** Shows a push message; a browser takes the right away from a worker that stays silent. */
export function showPush(
  registration: ServiceWorkerRegistration,
  data: PushMessageData | null,
): Promise<void> {
  return registration.showNotification('Oja', {
    body: wordsOf(data),
    icon: '/icons/192.png',
    badge: '/icons/192.png',
    data: NOTICES,
  });
}

/** Brings the tab with the notices forward, else any tab of the market and that one to the notices, or opens one. */
export async function openNotices(clients: Clients): Promise<void> {
  const tabs = await clients.matchAll({ type: 'window' });
  const there = tabs.find(({ url }) => new URL(url).pathname === NOTICES);
  if (there !== undefined) {
    await there.focus();
    return;
  }
  const [open] = tabs;
  await open?.focus();
  // A tab that was just closed cannot be led.
  const led = await open?.navigate(NOTICES).catch(() => null);
  if (led == null) await clients.openWindow(NOTICES);
}
