import { type Command, InvalidArgumentError } from 'commander';
import { completionCommand } from '../commands/completion.js';
import { usageExit } from '../terminal/exit.js';
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

function parseFolder(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must be a folder.');
  return text;
}

/** Adds --data-dir to a command and to all below it, so that it may stand before or after a command's name. */
function addDataDirOption(command: Command): void {
  command.option(
    '--data-dir <folder>',
    'data folder of the market; takes precedence over DATA_DIR',
    parseFolder,
  );
  for (const below of command.commands) addDataDirOption(below);
}

/**
 * Refuses an empty value, as a shell passes it for a variable that is not set: `--keys "$VAULT"` would put the keys
 * into the current folder. @throws Exit 2
 */
function refuseEmpty(command: Command): void {
  const isEmpty = (value: unknown): boolean =>
    Array.isArray(value) ? value.some(isEmpty) : typeof value === 'string' && value.trim() === '';
  const empty = [
    ...command.options.flatMap((option) =>
      isEmpty(command.getOptionValue(option.attributeName())) ? [option.long] : [],
    ),
    ...command.registeredArguments.flatMap((argument, i) =>
      isEmpty(command.processedArgs[i]) ? [`<${argument.name()}>`] : [],
    ),
  ];
  if (empty[0] !== undefined)
    throw usageExit(
      `The value of ${empty[0]} is empty: perhaps a variable is not set (see --help).`,
    );
}

/**
 * Refuses an option whose value is given twice: `erase --transaction A --transaction B` would forget about A.
 * --data-dir may be repeated, so that an alias can set it. @throws Exit 2
 */
function refuseRepeated(command: Command): void {
  for (const option of command.options) {
    if (option.isBoolean() || option.long === '--data-dir') continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) throw usageExit(`${option.long} takes one value: give it once.`);
      isGiven = true;
    });
  }
  for (const below of command.commands) refuseRepeated(below);
}

/**
 * Adds every command to the program. The code of a command loads only when the command runs: this folder
 * imports nothing that opens an engine.
 */
export function addCommands(program: Command): void {
  for (const lay of commands) lay(program);
  addDataDirOption(program);
  refuseRepeated(program);
  // Set before any settings are read; child processes inherit it.
  program.hook('preAction', (_, command) => {
    refuseEmpty(command);
    const { dataDir } = command.optsWithGlobals<{ readonly dataDir?: string }>();
    if (dataDir !== undefined) process.env.DATA_DIR = dataDir;
  });
}
