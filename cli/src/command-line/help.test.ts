import { Command } from 'commander';
import { expect, it } from 'vitest';
import { addCommands } from './index.js';

const program = new Command('oja');
addCommands(program);

/** Every command below this one, with its full name. */
function all(of: Command, name = ''): readonly (readonly [string, Command])[] {
  return of.commands.flatMap((command) => {
    const own = `${name} ${command.name()}`.trim();
    return [[own, command] as const, ...all(command, own)];
  });
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
}

const commands = all(program);
const acting = commands.filter(([, { commands: below }]) => below.length === 0);
/** Commands that run until they are stopped; their log output is JSON already. */
const endless = ['start'];
const destroying = [
  'replay',
  'restore',
  'remove-delivered',
  'erase',
  'keys rotate',
  'backup prune',
  'dispute settle',
  'payouts mark-paid',
  'payouts end',
];

it.each(commands)('%s is shown with examples that begin with it', (name, command) => {
  expect(helpOf(command)).toMatch(
    new RegExp(`\\nExamples?:\\n(.*\\n)*? +(\\S+=\\S+ )?oja ${name}`),
  );
});

it.each(acting.filter(([name]) => !endless.includes(name)))(
  '%s answers programs',
  (_, { options }) => {
    expect(options.map(({ long }) => long)).toContain('--json');
  },
);

it.each(commands)('%s takes a folder', (_, { options }) => {
  expect(options.map(({ long }) => long)).toContain('--data-dir');
});

it.each(destroying)('%s asks first, or is told --yes', (name) => {
  const found = commands.find(([known]) => known === name);
  expect(found?.[1].options.map(({ long }) => long)).toContain('--yes');
});
