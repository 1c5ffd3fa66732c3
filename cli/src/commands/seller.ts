import { createPasswords, resetPassword } from '@oja/command-service';
import { createSessions } from '@oja/platform';
import type { Command } from 'commander';
import { withContext } from '../runtime/context.js';
import { operatorOf } from '../runtime/operator.js';
import { Exit, exitCodes } from '../terminal/exit.js';
import { type Output, plural, show } from '../terminal/output.js';
import { examples } from '../terminal/usage.js';
import { sellerNamed } from './shared/sellers.js';

async function reset(text: string, options: Output): Promise<void> {
  await withContext(async (context) => {
    const { config, engines, handle, clock, logger } = context;
    const { businessName } = await sellerNamed(context, text);
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
      businessName,
    );
    if (!result.ok) throw new Exit(exitCodes.usage, `${result.message}.`);
    const { password, sessionsEnded } = result;
    show(options, { password, sessionsEnded }, () => [
      `The new password of ${businessName} is ${password}`,
      `It is shown this once, and opens nothing until they have chosen their own; ${plural(sessionsEnded, 'session')} ended.`,
    ]);
  });
}

export function sellerCommand(program: Command): void {
  program
    .command('seller')
    .description('help a seller')
    .addHelpText('after', examples("seller reset-password 'Adunni Textiles'"))
    .command('reset-password')
    .description('give a seller a new password, shown once, and end all their sessions')
    .argument('<seller>', 'business name or id')
    .option('--json', 'for programs')
    .addHelpText('after', examples("seller reset-password 'Adunni Textiles'"))
    .action(reset);
}
