import { type GrantResult, grantHeadAdmin, revokeHeadAdmin } from '@oja/command-service';
import type { Command } from 'commander';
import { Exit, exitCodes } from '../market/exit.js';
import { withGround } from '../market/withGround.js';

interface Output {
  readonly json?: boolean;
}

function tell(name: string, result: GrantResult, isHeadAdmin: boolean, { json }: Output): void {
  if (!result.ok) throw new Exit(exitCodes.usage, `${result.message}.`);
  const now = isHeadAdmin ? 'is a head admin' : 'is no head admin';
  const line = json
    ? JSON.stringify({ sellerId: result.sellerId, isHeadAdmin, changed: result.changed })
    : `${name} ${now}${result.changed ? '' : ' already'}.`;
  process.stdout.write(`${line}\n`);
}

export function adminCommand(program: Command): void {
  const admin = program.command('admin').description('make or unmake head admins');
  admin
    .command('grant')
    .description('make a seller a head admin')
    .argument('<businessName>')
    .option('--json', 'for programs')
    .addHelpText('after', "\nExample:\n  oja admin grant 'Adunni Textiles'\n")
    .action((name: string, options: Output) =>
      withGround(async ({ handle }) =>
        tell(name, await grantHeadAdmin(handle, name), true, options),
      ),
    );
  admin
    .command('revoke')
    .description('make a head admin a seller again')
    .argument('<businessName>')
    .option('--json', 'for programs')
    .action((name: string, options: Output) =>
      withGround(async ({ handle }) =>
        tell(name, await revokeHeadAdmin(handle, name), false, options),
      ),
    );
}
