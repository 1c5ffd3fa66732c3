import { type Command, InvalidArgumentError } from 'commander';
import { completionCommand } from '../commands/completion.js';
import { backupCommand, drillCommand, moveCommand, restoreCommand } from './folder.js';
import { eventsCommand, exportCommand, importCommand, traceCommand } from './log.js';
import {
  adminCommand,
  configCommand,
  keysCommand,
  schemaCommand,
  seedCommand,
  sellerCommand,
  startCommand,
} from './market.js';
import { disputeCommand, eraseCommand, payoutsCommand, removeDeliveredCommand } from './people.js';
import { quarantineCommand, replayCommand, verifyCommand } from './read-models.js';
import { logsCommand, statusCommand, topCommand } from './watch.js';

/** In the order in which the help lists them. */
const commands = [
  ...[
    startCommand,
    statusCommand,
    topCommand,
    logsCommand,
    configCommand,
    verifyCommand,
    replayCommand,
  ],
  ...[eventsCommand, traceCommand, exportCommand, importCommand, moveCommand],
  ...[backupCommand, restoreCommand, drillCommand, removeDeliveredCommand, eraseCommand],
  ...[keysCommand, quarantineCommand, disputeCommand, payoutsCommand],
  ...[seedCommand, adminCommand, sellerCommand, completionCommand, schemaCommand],
];

function folder(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must be a folder.');
  return text;
}

/** Adds --data-dir to a command and to all below it, so that it may stand before or after a command's name. */
function takeDataDir(command: Command): void {
  command.option(
    '--data-dir <folder>',
    'data folder of the market; takes precedence over DATA_DIR',
    folder,
  );
  for (const below of command.commands) takeDataDir(below);
}

/**
 * Adds every command to the program. The code of a command loads only when the command runs: this folder
 * imports nothing that opens an engine.
 */
export function layCommands(program: Command): void {
  for (const lay of commands) lay(program);
  takeDataDir(program);
  // Set before any settings are read; child processes inherit it.
  program.hook('preAction', (_, command) => {
    const { dataDir } = command.optsWithGlobals<{ readonly dataDir?: string }>();
    if (dataDir !== undefined) process.env.DATA_DIR = dataDir;
  });
}
