import { Command, CommanderError } from 'commander';
import { adminCommand } from './commands/admin.js';
import { backupCommands } from './commands/backup/index.js';
import { configCommand } from './commands/config.js';
import { eraseCommand } from './commands/erase/index.js';
import { eventsCommand } from './commands/events/index.js';
import { disputeCommand } from './commands/money/dispute.js';
import { payoutsCommand } from './commands/money/payouts.js';
import { quarantineCommand } from './commands/quarantine/index.js';
import { removeDeliveredCommand } from './commands/removeDelivered.js';
import { replayCommand } from './commands/replay/index.js';
import { seedCommand } from './commands/seed.js';
import { sellerCommand } from './commands/seller.js';
import { startCommand } from './commands/start.js';
import { statusCommand } from './commands/status/index.js';
import { transferCommands } from './commands/transfer/index.js';
import { verifyCommand } from './commands/verify/index.js';
import { exitCodes } from './market/exit.js';
import { VERSION } from './market/version.js';
import { outcomeOf } from './terminal/outcome.js';

const program = new Command('oja')
  .description('Runs and looks after an Oja market.')
  .version(VERSION)
  .enablePositionalOptions()
  .showHelpAfterError('(oja --help shows what there is)')
  .exitOverride();

startCommand(program);
statusCommand(program);
configCommand(program);
verifyCommand(program);
replayCommand(program);
eventsCommand(program);
transferCommands(program);
backupCommands(program);
removeDeliveredCommand(program);
eraseCommand(program);
quarantineCommand(program);
disputeCommand(program);
payoutsCommand(program);
seedCommand(program);
adminCommand(program);
sellerCommand(program);

// Whoever reads us may have had enough, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(exitCodes.ok);
});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  } else {
    const { sentence, code } = outcomeOf(error);
    process.stderr.write(`${sentence}\n`);
    process.exitCode = code;
  }
}
