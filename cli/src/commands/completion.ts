import { modelNames } from '@oja/contracts/models/names';
import type { Command, Option } from 'commander';
import type { Answer } from '../answers/index.js';
import { replaySteps } from '../command-line/read-models.js';
import { lineLevels, serviceNames } from '../runtime/program.js';
import { type Output, printJson, printScript } from '../terminal/output.js';
import { examples, requireKnown } from '../terminal/usage.js';

/** A command's full name ('' for the program itself), and the words that may follow it. */
type Place = Answer<'completion'>[number];
type Word = Place['words'][number];

const shells = ['bash', 'zsh', 'fish'] as const;

/** The values of an option or argument, by its name; all others are ids, names, times or files. */
const values: Readonly<Record<string, readonly string[]>> = {
  projection: modelNames,
  'step|projection': [...replaySteps, ...modelNames],
  service: serviceNames,
  level: lineLevels,
  shell: shells,
};

/** Names of options and arguments that the shell completes with files. */
const FILES = ['file', 'folder', 'backup', 'place'];

const HELP: Word = { word: '--help', about: 'show help, with examples' };

function wordOf({ long, description, required, optional, flags }: Option): readonly Word[] {
  if (long === undefined || long === null) return [];
  const about = { word: long, about: description };
  if (!required && !optional) return [about];
  const [, name = ''] = /<(.*)>/.exec(flags) ?? [];
  return [{ ...about, value: FILES.includes(name) ? 'file' : (values[name] ?? []) }];
}

function placesOf(command: Command, path = ''): readonly Place[] {
  const { registeredArguments: args } = command;
  const typed = args.flatMap((argument) =>
    (values[argument.name()] ?? []).map((word) => ({
      word,
      about: argument.name().replace('|', ' or '),
    })),
  );
  const words = [
    ...command.commands.map((below) => ({ word: below.name(), about: below.description() })),
    ...typed.filter(({ word }, place) => typed.findIndex((each) => each.word === word) === place),
    ...command.options.flatMap(wordOf),
    HELP,
  ];
  const below = command.commands.flatMap((each) => placesOf(each, `${path} ${each.name()}`.trim()));
  return [{ path, words, takesFiles: args.some((one) => FILES.includes(one.name())) }, ...below];
}

/** The same, with what may follow `oja schema`: the commands that it knows are those of the program. */
function allPlaces(program: Command): readonly Place[] {
  const places = placesOf(program);
  const isOption = ({ word }: Word) => word.startsWith('--');
  const named = places.map(({ path, words }): Place => {
    const own = path === '' ? 'schema' : `schema ${path}`;
    const isCommand = ({ word }: Word) =>
      places.some((one) => one.path === `${path} ${word}`.trim());
    const commands = words.filter((word) => !isOption(word) && isCommand(word));
    return { path: own, words: commands, takesFiles: false };
  });
  const [first, ...others] = named.filter(({ words }) => words.length > 0);
  const joined = places.map((place) =>
    place.path === 'schema'
      ? { ...place, words: [...(first?.words ?? []), ...place.words] }
      : place,
  );
  return [...joined, ...others];
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
`;

/** Shell code, for bash and zsh, that runs `use` on the words of the option before the cursor, if that takes a value. */
const ofOptions = (
  places: readonly Place[],
  previous: string,
  use: (value: NonNullable<Word['value']>) => string,
) =>
  `  case "$at ${previous}" in\n${places
    .flatMap(({ path, words }) =>
      words.flatMap(({ word, value }) =>
        value === undefined ? [] : [`    ${quoted(`${path} ${word}`)}) ${use(value)}; return ;;\n`],
      ),
    )
    .join('')}  esac\n`;

/** Whether an option is proposed only once its dashes are typed, because something else belongs there. */
const isForFiles = ({ words, takesFiles }: Place) =>
  takesFiles || words.some(({ word }) => !word.startsWith('--'));

// An empty answer makes bash propose files (-o default).
const bash = (places: readonly Place[]) => `_oja() {
${walk(places, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}  local typed="\${COMP_WORDS[COMP_CWORD]}" options
  COMPREPLY=()
${ofOptions(places, `\${COMP_WORDS[COMP_CWORD-1]}`, (value) =>
  value === 'file' || value.length === 0
    ? ':'
    : `COMPREPLY=($(compgen -W ${quoted(value.join(' '))} -- "$typed"))`,
)}  case "$at" in
${places
  .map((place) => {
    const options = place.words.filter(({ word }) => word.startsWith('--'));
    const others = place.words.filter((word) => !options.includes(word));
    const list = (words: readonly Word[]) => quoted(words.map(({ word }) => word).join(' '));
    return `    ${quoted(place.path)}) word=${list(isForFiles(place) ? others : options)} options=${list(options)} ;;\n`;
  })
  .join('')}  esac
  [[ "$typed" == -* ]] && word="$options"
  COMPREPLY=($(compgen -W "$word" -- "$typed"))
}
complete -o default -F _oja oja
`;

const zsh = (places: readonly Place[]) => `#compdef oja
_oja() {
  local -a found options
${walk(places, `"\${(@)words[2,CURRENT-1]}"`)}${ofOptions(places, '$words[CURRENT-1]', (value) =>
  value === 'file'
    ? '_files'
    : value.length === 0
      ? '_message value'
      : `compadd -- ${value.map(quoted).join(' ')}`,
)}  case "$at" in
${places
  .map((place) => {
    const list = (words: readonly Word[]) =>
      words.map(({ word, about }) => quoted(`${word}:${about}`)).join(' ');
    const options = place.words.filter(({ word }) => word.startsWith('--'));
    const others = place.words.filter((word) => !options.includes(word));
    return `    ${quoted(place.path)}) found=(${list(isForFiles(place) ? others : options)}) options=(${list(options)}) ;;\n`;
  })
  .join('')}  esac
  [[ "$PREFIX" == -* ]] && found=($options)
  _describe oja found || _files
}
# From a folder of functions zsh runs this file at the first Tab, which is answered too.
if [[ "$funcstack[1]" = _oja ]]; then _oja "$@"; else compdef _oja oja; fi
`;

/** How fish completes an option: its value by a list, by files, or by nothing that is known. */
function fishOption({ word, value }: Word): string {
  const name = `-l ${word.slice(2)}`;
  if (value === undefined) return name;
  if (value === 'file') return `${name} -r`;
  return value.length === 0 ? `${name} -x` : `${name} -x -a ${fishQuoted(value.join(' '))}`;
}

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
  .flatMap(({ path, words, takesFiles }) => {
    const at = `complete -c oja -n ${fishQuoted(`__oja_at ${fishQuoted(path)}`)}`;
    return [
      ...(takesFiles ? [] : [`${at} -f\n`]),
      ...words.map((each) => {
        const { word, about } = each;
        const what = word.startsWith('--') ? fishOption(each) : `-f -a ${word}`;
        return `${at} ${what} -d ${fishQuoted(about)}\n`;
      }),
    ];
  })
  .join('')}`;

const scripts = { bash, zsh, fish } satisfies Readonly<
  Record<(typeof shells)[number], (places: readonly Place[]) => string>
>;

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
    .action((named: string, options: Output) => {
      const shell = requireKnown('shell', named, shells);
      const places = allPlaces(program);
      if (options.json) printJson<'completion'>(places);
      else printScript(scripts[shell](places).trimEnd());
    });
}
