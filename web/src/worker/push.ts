import { wordsOf } from './push-words.js';

const NOTICES = '/dashboard/notifications';

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

/** Brings a tab of the market forward and to the notices, or opens one. */
export async function openNotices(clients: Clients): Promise<void> {
  const [open] = await clients.matchAll({ type: 'window' });
  if (open === undefined) {
    await clients.openWindow(NOTICES);
    return;
  }
  await open.focus();
  await open.navigate(NOTICES);
}
