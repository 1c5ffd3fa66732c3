import { grantHeadAdmin, revokeHeadAdmin } from '@oja/command-service';
import type { Command } from 'commander';
import { Exit, exitCodes } from '../market/exit.js';
import { withGround } from '../market/withGround.js';
import { examples } from '../terminal/examples.js';
import { type Output, show } from '../terminal/output.js';
import { sellerNamed } from './shared/sellers.js';

const set = (isHeadAdmin: boolean) => (text: string, options: Output) =>
  withGround(async (ground) => {
    const { businessName } = await sellerNamed(ground, text);
    const change = isHeadAdmin ? grantHeadAdmin : revokeHeadAdmin;
    const result = await change({ ...ground.handle, logger: ground.logger }, businessName);
    if (!result.ok) throw new Exit(exitCodes.usage, `${result.message}.`);
    const { sellerId, changed } = result;
    const now = isHeadAdmin ? 'is a head admin' : 'is no head admin';
    show(options, { sellerId, isHeadAdmin, changed }, () => [
      `${businessName} ${now}${changed ? '' : ' already'}.`,
    ]);
  });

export function adminCommand(program: Command): void {
  const admin = program
    .command('admin')
    .description('make or unmake head admins')
    .addHelpText('after', examples("admin grant 'Adunni Textiles'"));
  admin
    .command('grant')
    .description('make a seller a head admin')
    .argument('<seller>', 'business name or id')
    .option('--json', 'for programs')
    .addHelpText('after', examples("admin grant 'Adunni Textiles'"))
    .action(set(true));
  admin
    .command('revoke')
    .description('make a head admin a seller again')
    .argument('<seller>', 'business name or id')
    .option('--json', 'for programs')
    .addHelpText('after', examples("admin revoke 'Adunni Textiles'"))
    .action(set(false));
}
