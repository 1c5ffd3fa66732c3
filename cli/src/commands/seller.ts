import {
  createPasswords,
  grantHeadAdmin,
  resetPassword,
  revokeHeadAdmin,
} from '@oja/command-service';
import { createSessions } from '@oja/platform';
import { withContext } from '../runtime/context.js';
import { currentOperator } from '../runtime/operator.js';
import { usageExit } from '../terminal/exit.js';
import { type Output, plural, printAnswer } from '../terminal/output.js';
import { presentSeller, sellerNamed } from './shared/sellers.js';

const setHeadAdmin = (isHeadAdmin: boolean) => (text: string, options: Output) =>
  withContext(async (context) => {
    // Rights that an erased seller was left with can still be taken away.
    const find = isHeadAdmin ? presentSeller : sellerNamed;
    const { sellerId, businessName } = await find(context, text);
    const change = isHeadAdmin ? grantHeadAdmin : revokeHeadAdmin;
    const { eventStore } = context.engines;
    const { commands, logger } = context;
    const deps = { ...commands, eventStore, logger, operator: currentOperator() };
    const result = await change(deps, sellerId);
    if (!result.ok) throw usageExit(`${result.message}.`);
    const { changed } = result;
    const now = isHeadAdmin ? 'is a head admin' : 'is no head admin';
    printAnswer<'admin grant' | 'admin revoke'>(options, { sellerId, isHeadAdmin, changed }, () => [
      `${businessName} ${now}${changed ? '' : ' already'}.`,
    ]);
  });

export const grant = setHeadAdmin(true);
export const revoke = setHeadAdmin(false);

/** Sets and shows a new password for the seller of this name or id, and ends their sessions. @throws Exit */
export async function reset(text: string, options: Output): Promise<void> {
  await withContext(async (context) => {
    const { config, engines, commands, clock, logger } = context;
    const { sellerId, businessName } = await presentSeller(context, text);
    const passwords = createPasswords(engines.state);
    const sessions = createSessions(engines.state, config.tokenSecret);
    const result = await resetPassword(
      {
        ...commands,
        eventStore: engines.eventStore,
        passwords,
        sessions,
        clock,
        logger,
        operator: currentOperator(),
      },
      sellerId,
    );
    if (!result.ok) throw usageExit(`${result.message}.`);
    const { password, sessionsEnded } = result;
    printAnswer<'seller reset-password'>(options, { password, sessionsEnded }, () => [
      `The new password of ${businessName} is ${password}`,
      `It is shown only once, and only lets the seller choose a new password; ${plural(sessionsEnded, 'session')} ended.`,
    ]);
  });
}
