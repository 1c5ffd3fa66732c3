/** Whether notifications are allowed on this device. */
export const isPushAllowed = (): boolean =>
  'Notification' in globalThis && Notification.permission === 'granted';
