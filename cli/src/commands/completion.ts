import { modelNames } from '@oja/contracts/models/names';
import type { Command } from 'commander';
import type { Answer } from '../answers/index.js';
import { replaySteps } from '../command-line/read-models.js';
import { serviceNames } from '../runtime/program.js';
import { Exit, exitCodes } from '../terminal/exit.js';
import { type Output, sayJson, sayScript } from '../terminal/output.js';
import { examples, nearestOf } from '../terminal/usage.js';

/** A command's full name ('' for the program itself) and the words that may follow it. */
type Place = Answer<'completion'>[number];

function placesOf(command: Command, path = ''): readonly Place[] {
  const typed = command.registeredArguments.flatMap((argument) =>
    (values[argument.name()] ?? []).map((word) => ({
      word,
      about: argument.name().replace('|', ' or '),
    })),
  );
  const words = [
    ...command.commands.map((below) => ({ word: below.name(), about: below.description() })),
    ...typed.filter(({ word }, place) => typed.findIndex((each) => each.word === word) === place),
    ...command.options.flatMap(({ long, description }) =>
      long === undefined || long === null ? [] : [{ word: long, about: description }],
    ),
    { word: '--help', about: 'show help, with examples' },
  ];
  const below = command.commands.flatMap((each) => placesOf(each, `${path} ${each.name()}`.trim()));
  return [{ path, words }, ...below];
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
/** fish escapes a quote inside quotes with a backslash. */
const fishQuoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** Shell code, for bash and zsh, that finds the command in the words before the cursor. */
const walk = (places: readonly Place[], words: string) => `  local at='' word
  for word in ${words}; do
    case "\${at:+$at }$word" in
      ${places.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join(' | ')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
`;

const bash = (places: readonly Place[]) => `_oja() {
${walk(places, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}${places
  .map(
    ({ path, words }) =>
      `    ${quoted(path)}) word=${quoted(words.map((w) => w.word).join(' '))} ;;\n`,
  )
  .join('')}  esac
  COMPREPLY=($(compgen -W "$word" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _oja oja
`;

const zsh = (places: readonly Place[]) => `#compdef oja
_oja() {
  local -a found
${walk(places, `"\${(@)words[2,CURRENT-1]}"`)}${places
  .map(
    ({ path, words }) =>
      `    ${quoted(path)}) found=(${words.map(({ word, about }) => quoted(`${word}:${about}`)).join(' ')}) ;;\n`,
  )
  .join('')}  esac
  _describe oja found || _files
}
# From a folder of functions zsh runs this file at the first Tab, which is answered too.
if [[ "$funcstack[1]" = _oja ]]; then _oja "$@"; else compdef _oja oja; fi
`;

const fish = (places: readonly Place[]) => `function __oja_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        set -l next (string trim "$at $word")
        if contains -- $next ${places.flatMap(({ path }) => (path === '' ? [] : [fishQuoted(path)])).join(' ')}
            set at $next
        end
    end
    test "$at" = "$argv[1]"
end
${places
  .flatMap(({ path, words }) =>
    words.map(({ word, about }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c oja -n ${fishQuoted(`__oja_at ${fishQuoted(path)}`)} ${what} -d ${fishQuoted(about)}\n`;
    }),
  )
  .join('')}`;

const scripts: Readonly<Record<string, (places: readonly Place[]) => string>> = { bash, zsh, fish };
const shells = Object.keys(scripts);

/** The values of an argument, by the argument's name; all other arguments are ids, names or files. */
const values: Readonly<Record<string, readonly string[]>> = {
  projection: modelNames,
  'step|projection': [...replaySteps, ...modelNames],
  service: serviceNames,
  shell: shells,
};

export function completionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script that lets the shell complete commands and options')
    .argument('<shell>', shells.join(', '))
    .option('--json', 'print JSON: every command, and the words that can follow it')
    .addHelpText(
      'after',
      examples(
        'completion bash > ~/.local/share/bash-completion/completions/oja',
        'completion zsh > ~/.zfunc/_oja',
        'completion fish > ~/.config/fish/completions/oja.fish',
      ),
    )
    .action((shell: string, options: Output) => {
      const script = scripts[shell];
      if (script === undefined)
        throw new Exit(
          exitCodes.usage,
          `There is no completion for '${shell}'${nearestOf(shell, shells)}: ${shells.join(', ')}.`,
        );
      const places = placesOf(program);
      if (options.json) sayJson<'completion'>(places);
      else sayScript(script(places).trimEnd());
    });
}
