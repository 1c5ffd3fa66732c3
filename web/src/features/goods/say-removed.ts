import { putBack, type Removed } from '../../stores/cart.js';
import { toast } from '../../ui/toast.js';

/** How long notices about products stay, in ms. */
export const PRODUCT_NOTICE_MS = 3_000;

/** What was taken out of the cart can be put back where it stood. */
export function sayRemoved(removed: Removed): void {
  toast.info('Removed from your cart.', {
    duration: PRODUCT_NOTICE_MS,
    action: { label: 'Undo', onPress: () => putBack(removed) },
  });
}
