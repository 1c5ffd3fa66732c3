import type { Deps, Handlers } from '../deps.js';
import { toggleSuspended } from './toggleSuspended.js';
import { updateSubAdmin } from './updateSubAdmin.js';

export const rightsHandlers = (deps: Deps) =>
  ({
    toggleSuspended: toggleSuspended(deps),
    updateSubAdmin: updateSubAdmin(deps),
  }) satisfies Partial<Handlers>;
