/** Whether notifications are allowed on this device. */
export const isAllowed = (): boolean =>
  'Notification' in globalThis && Notification.permission === 'granted';
