import { createPasswords, resetPassword } from '@oja/command-service';
import { createSessions } from '@oja/platform';
import type { Command } from 'commander';
import { Exit, exitCodes } from '../market/exit.js';
import { withGround } from '../market/withGround.js';

interface Output {
  readonly json?: boolean;
}

async function reset(name: string, { json }: Output): Promise<void> {
  await withGround(async ({ config, engines, handle, clock }) => {
    const passwords = createPasswords(engines.state);
    const sessions = createSessions(engines.state, config.tokenSecret);
    const result = await resetPassword({ ...handle, passwords, sessions, clock }, name);
    if (!result.ok) throw new Exit(exitCodes.usage, `${result.message}.`);
    const { password, sessionsEnded } = result;
    process.stdout.write(
      json
        ? `${JSON.stringify({ password, sessionsEnded })}\n`
        : `The new password of ${name} is ${password}\nIt is shown this once; ${sessionsEnded} sessions were ended.\n`,
    );
  });
}

export function sellerCommand(program: Command): void {
  program
    .command('seller')
    .description('help a seller')
    .command('reset-password')
    .description('give a seller a new password, shown once, and end all their sessions')
    .argument('<businessName>')
    .option('--json', 'for programs')
    .addHelpText('after', "\nExample:\n  oja seller reset-password 'Adunni Textiles'\n")
    .action(reset);
}
