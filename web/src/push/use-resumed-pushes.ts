import { useEffect } from 'react';
import { isAllowed } from './allowed.js';

/** Takes the seller's push messages up again. The push code is loaded only when they are allowed. */
export async function takeUpPushes(sellerId: string): Promise<void> {
  if (!isAllowed()) return;
  const { resumePushes } = await import('./resume.js');
  await resumePushes(sellerId);
}

/** The same after a new login. */
export function useResumedPushes(sellerId: string): void {
  useEffect(() => {
    takeUpPushes(sellerId).catch(console.error);
  }, [sellerId]);
}
