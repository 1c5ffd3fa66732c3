import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../../api/error.js';
import { clearNotifications, unreadKey } from '../../api/notifications.js';
import { queryClient } from '../../api/query-client.js';
import { toast } from '../../ui/toast.js';

/** Clears the notices up to the position that was read; other failures than 'nothing there' are only logged. */
export function useClear(sellerId: string) {
  return useMutation({
    mutationFn: (position: string | null) => clearNotifications(sellerId, position),
    onError: (error) => {
      if (error instanceof ApiError && error.status === 404) toast.info(error.message);
      else console.error(error);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: unreadKey(sellerId) }),
  });
}
