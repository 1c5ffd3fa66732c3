/**
 * Gives the entry of the history that a page is loaded into a name of its own. The router calls each first one
 * 'default', so that a page loaded anew, as on the way back from the payment provider, would begin where the one
 * before it had been scrolled to. A reload, and coming back, find the name again.
 */
export function nameHistoryEntry({ history }: Pick<Window, 'history'>): void {
  const state: unknown = history.state;
  const kept = typeof state === 'object' ? state : null;
  if (kept !== null && 'key' in kept) return;
  history.replaceState({ ...kept, key: Math.random().toString(36).slice(2, 10) }, '');
}
