const NOTICES = '/dashboard/notifications';

/** What a push message says; one that cannot be read still says that something came. */
export function wordsOf(data: { json(): unknown } | null): string {
  try {
    const said: unknown = data?.json();
    if (
      typeof said === 'object' &&
      said !== null &&
      'message' in said &&
      typeof said.message === 'string'
    )
      return said.message;
  } catch {
    // Not JSON.
  }
  return 'New order';
}

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
