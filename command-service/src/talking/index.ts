import type { Deps, Handlers } from '../deps.js';
import { addComment } from './addComment.js';
import { sendEmail } from './sendEmail.js';

export const talkingHandlers = (deps: Deps) =>
  ({
    addComment: addComment(deps),
    sendEmail: sendEmail(deps),
  }) satisfies Partial<Handlers>;
