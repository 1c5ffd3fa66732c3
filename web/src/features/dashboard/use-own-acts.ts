import { useMutation } from '@tanstack/react-query';
import { ApiError, messageOf } from '../../api/error.js';
import {
  isInTransaction,
  reloadGoods,
  removeProduct,
  toggleStatus,
} from '../../api/own-products.js';
import { toast } from '../../ui/toast.js';
import { noteStatus } from './unavailable.js';

export const IN_TRANSACTION = 'This product is still in transaction!';

/** Available and unavailable, as the server answers it. */
export function useToggle(productId: string) {
  return useMutation({
    mutationFn: () => toggleStatus(productId),
    onSuccess: (message) => {
      noteStatus(productId, message);
      void reloadGoods();
    },
    onError: () => toast.error('Error changing product Status'),
  });
}

/** The server's words, or undefined when the product is still in a paid transaction. */
async function removeUnlessOrdered(productId: string): Promise<string | undefined> {
  if (await isInTransaction(productId)) return undefined;
  try {
    return await removeProduct(productId);
  } catch (error) {
    // It was ordered between the question and the removal.
    if (error instanceof ApiError && error.status === 409) return undefined;
    throw error;
  }
}

/** Removal, after the seller was asked. A product in a transaction stays. */
export function useRemoval(productId: string, done: () => void) {
  return useMutation({
    mutationFn: () => removeUnlessOrdered(productId),
    onSuccess: async (message) => {
      if (message === undefined) toast.error(IN_TRANSACTION);
      else toast.success(message);
      await reloadGoods();
    },
    onError: (error) => toast.error(messageOf(error)),
    onSettled: done,
  });
}
