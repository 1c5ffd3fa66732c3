import { createPasswords, resetPassword } from '@oja/command-service';
import { createSessions } from '@oja/platform';
import { withContext } from '../runtime/context.js';
import { operatorOf } from '../runtime/operator.js';
import { Exit, exitCodes } from '../terminal/exit.js';
import { type Output, plural, show } from '../terminal/output.js';
import { presentSeller } from './shared/sellers.js';

/** Sets and shows a new password for the seller of this name or id, and ends their sessions. @throws Exit */
export async function reset(text: string, options: Output): Promise<void> {
  await withContext(async (context) => {
    const { config, engines, handle, clock, logger } = context;
    const { sellerId, businessName } = await presentSeller(context, text);
    const passwords = createPasswords(engines.state);
    const sessions = createSessions(engines.state, config.tokenSecret);
    const result = await resetPassword(
      {
        ...handle,
        eventStore: engines.eventStore,
        passwords,
        sessions,
        clock,
        logger,
        operator: operatorOf(),
      },
      sellerId,
    );
    if (!result.ok) throw new Exit(exitCodes.usage, `${result.message}.`);
    const { password, sessionsEnded } = result;
    show<'seller reset-password'>(options, { password, sessionsEnded }, () => [
      `The new password of ${businessName} is ${password}`,
      `It is shown only once, and only lets the seller choose a new password; ${plural(sessionsEnded, 'session')} ended.`,
    ]);
  });
}
