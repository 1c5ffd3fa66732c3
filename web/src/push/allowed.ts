/** Whether the person has let Oja show messages on this device. */
export const isAllowed = (): boolean =>
  'Notification' in globalThis && Notification.permission === 'granted';
