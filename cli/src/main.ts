import { Command, CommanderError } from 'commander';
import { adminCommand } from './commands/admin.js';
import { seedCommand } from './commands/seed.js';
import { sellerCommand } from './commands/seller.js';
import { startCommand } from './commands/start.js';
import { Exit, exitCodes } from './market/exit.js';
import { VERSION } from './market/version.js';

const program = new Command('oja')
  .description('Runs and looks after an Oja market.')
  .version(VERSION)
  .showHelpAfterError('(oja --help shows what there is)')
  .exitOverride();

startCommand(program);
seedCommand(program);
adminCommand(program);
sellerCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof Exit) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error.code;
  } else if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  } else {
    throw error;
  }
}
