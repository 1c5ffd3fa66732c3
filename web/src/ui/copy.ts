import { toast } from './toast.js';

/** In ms: long enough to mark it. */
const BY_HAND_MS = 20_000;

/**
 * Puts text where it can be pasted from, and says what came of it: where the browser refuses, it can be marked there.
 * @param done said once it is copied
 */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(done);
  } catch {
    toast.error(text, { title: 'Copy it from here', duration: BY_HAND_MS });
  }
}
