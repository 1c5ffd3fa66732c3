import { Command } from 'commander';
import { expect, it } from 'vitest';
import { addCommands } from './index.js';

it.each([
  ['--products', '9999999999', 'from 0 to 10000000'],
  ['--orders', '9999999999', 'from 0 to 10000000'],
  ['--sellers', '9999999999', 'from 1 to 100000'],
  ['--sellers', '0', 'from 1 to 100000'],
])('seed refuses %s %s: a typing error must not fill the disk', async (option, value, limits) => {
  const program = new Command('oja').exitOverride().configureOutput({ writeErr: () => undefined });
  addCommands(program);
  for (const command of program.commands) command.copyInheritedSettings(program);
  await expect(program.parseAsync(['seed', option, value], { from: 'user' })).rejects.toThrow(
    `It must be a whole number ${limits}.`,
  );
});
