import { useMutation } from '@tanstack/react-query';
import { setSubAdmin, toggleSuspended } from '../../api/admin.js';
import { queryClient } from '../../api/query-client.js';
import type { Profile } from '../../api/types.js';
import { toast } from '../../ui/toast.js';
import { calledBy } from './users.js';

const reload = () => queryClient.invalidateQueries({ queryKey: ['admin'] });
const log = (error: unknown) => console.error(error);

/** Deactivate and Activate; failures are only logged, and the list tells how it stands. */
export function useSuspension({ user_id }: Profile) {
  const toggle = useMutation({
    mutationFn: () => toggleSuspended(user_id),
    onSuccess: (message) =>
      toast.success(message, { action: { label: 'Undo', onPress: () => toggle.mutate() } }),
    onError: log,
    onSettled: reload,
  });
  return toggle;
}

/** Make Admin and Delete Admin; failures are only logged. */
export function useSubAdmin(user: Profile) {
  return useMutation({
    mutationFn: (isSubAdmin: boolean) => setSubAdmin(user.user_id, isSubAdmin),
    onSuccess: (_, isSubAdmin) => {
      const name = calledBy(user);
      toast.success(
        isSubAdmin
          ? `sucessfully made ${name} an Admin`
          : `sucessfully removed ${name} from being an Admin`,
      );
    },
    onError: log,
    onSettled: reload,
  });
}
