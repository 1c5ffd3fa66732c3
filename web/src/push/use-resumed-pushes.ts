import { useEffect } from 'react';
import { isAllowed } from './allowed.js';

/** Takes the seller's push messages up again after a new login. The push code is loaded only when they are allowed. */
export function useResumedPushes(sellerId: string): void {
  useEffect(() => {
    if (!isAllowed()) return;
    import('./resume.js').then(({ resumePushes }) => resumePushes(sellerId)).catch(console.error);
  }, [sellerId]);
}
