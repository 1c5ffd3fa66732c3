import type { Person } from '@oja/contracts';
import type { Actor } from '@oja/domain';

/** The signed-in person as the domain asks who wants to change somebody's rights. */
export const askedBy = ({ sellerId, role }: Person): Actor => ({
  kind: 'seller',
  sellerId,
  isHeadAdmin: role === 'head-admin',
});
