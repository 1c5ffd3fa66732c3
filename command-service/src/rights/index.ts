import type { Deps, Handlers } from '../deps.js';
import { watched } from '../security-log.js';
import { toggleSuspended } from './toggleSuspended.js';
import { updateSubAdmin } from './updateSubAdmin.js';

export const rightsHandlers = (deps: Deps) =>
  ({
    toggleSuspended: watched(deps, 'suspension-changed', toggleSuspended(deps), {
      granted: ({ body }, { actor, params }) => ({
        actor: actor.sellerId,
        subject: params.userId,
        reason: body.is_suspended === 1 ? 'suspended' : 'reinstated',
      }),
    }),
    updateSubAdmin: watched(deps, 'sub-admin-changed', updateSubAdmin(deps), {
      granted: (_, { actor, query }) => ({
        actor: actor.sellerId,
        ...(query.sellerId !== undefined && { subject: query.sellerId }),
        reason: query.isSubAdmin === 'true' ? 'made' : 'unmade',
      }),
    }),
  }) satisfies Partial<Handlers>;
