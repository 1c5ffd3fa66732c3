import type { Command } from 'commander';

type Lay = (program: Command) => void;

/**
 * How each command comes to the program, in the order of the help. A module is read when it is asked
 * for: a command waits for what it stands on itself, not for what the other ones do.
 */
const commands: Readonly<Record<string, () => Promise<Lay>>> = {
  start: async () => (await import('./start.js')).startCommand,
  status: async () => (await import('./status/index.js')).statusCommand,
  config: async () => (await import('./config.js')).configCommand,
  verify: async () => (await import('./verify/index.js')).verifyCommand,
  replay: async () => (await import('./replay/index.js')).replayCommand,
  events: async () => (await import('./events/index.js')).eventsCommand,
  trace: async () => (await import('./trace/index.js')).traceCommand,
  export: async () => (await import('./transfer/index.js')).exportCommand,
  import: async () => (await import('./transfer/index.js')).importCommand,
  move: async () => (await import('./move/index.js')).moveCommand,
  backup: async () => (await import('./backup/index.js')).backupCommand,
  restore: async () => (await import('./backup/index.js')).restoreCommand,
  drill: async () => (await import('./drill/index.js')).drillCommand,
  'remove-delivered': async () => (await import('./remove-delivered.js')).removeDeliveredCommand,
  erase: async () => (await import('./erase/index.js')).eraseCommand,
  keys: async () => (await import('./keys.js')).keysCommand,
  quarantine: async () => (await import('./quarantine.js')).quarantineCommand,
  dispute: async () => (await import('./money/dispute.js')).disputeCommand,
  payouts: async () => (await import('./money/payouts.js')).payoutsCommand,
  seed: async () => (await import('./seed.js')).seedCommand,
  admin: async () => (await import('./admin.js')).adminCommand,
  seller: async () => (await import('./seller.js')).sellerCommand,
  completion: async () => {
    const { completionCommand } = await import('./completion.js');
    return (program) => completionCommand(program, (all) => layCommands(all, undefined));
  },
};

export const commandNames: readonly string[] = Object.keys(commands);

/** Lays the command of this name into the program, or all of them where there is no such one. */
export async function layCommands(program: Command, name: string | undefined): Promise<void> {
  const wanted = commandNames.filter((known) => known === name);
  for (const each of wanted.length > 0 ? wanted : commandNames)
    (await commands[each]?.())?.(program);
}
