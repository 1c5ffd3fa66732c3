import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/market.js';
import { oja, ojaJson } from './support/oja.js';

interface Place {
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly about: string }[];
}

const folder = temporaryFolder();
afterAll(() => folder.remove());

async function written(shell: string): Promise<string> {
  const { code, text } = await oja(folder.path, ['completion', shell]);
  expect(code).toBe(0);
  const file = join(folder.path, `oja.${shell}`);
  writeFileSync(file, `${text}\n`);
  return file;
}

it('completes commands and options in bash, as far as what was typed says', async () => {
  const file = await written('bash');
  const completed = (...typed: readonly string[]) =>
    execFileSync(
      'bash',
      [
        '-c',
        `source "$1"; shift; COMP_WORDS=(oja "$@"); COMP_CWORD=$#; _oja; printf '%s\\n' "\${COMPREPLY[@]}"`,
        'bash',
        file,
        ...typed,
      ],
      { encoding: 'utf8' },
    )
      .trim()
      .split('\n');
  expect(completed('ev')).toEqual(['events']);
  expect(completed('events', 't')).toEqual(['tail']);
  expect(completed('--da')).toEqual(['--data-dir']);
  expect(completed('payouts', 'list', '--da')).toEqual(['--data-dir']);
  expect(completed('events', 'tail', '--fo')).toEqual(['--follow']);
  expect(completed('dispute', 'settle', 'some-id', '--re')).toEqual(['--release', '--refund']);
  expect(completed('replay', 'catalogue', '--st')).toEqual(['--stream']);
  expect(completed('replay', 'cat')).toEqual(['catalogue']);
  expect(completed('replay', 'switch', 'ti')).toEqual(['timeline']);
  expect(completed('quarantine', 'show', 'led')).toEqual(['ledger']);
  expect(completed('start', 'query')).toEqual(['query-service']);
  // A value belongs there: one of the known ones, or a file, which an empty answer makes bash propose.
  expect(completed('logs', '--level', '')).toEqual(['debug', 'info', 'warn', 'error', 'fatal']);
  expect(completed('status', '--data-dir', '')).toEqual(['']);
  expect(completed('import', '')).toEqual(['']);
  expect(completed('import', '--dr')).toEqual(['--dry-run']);
  expect(completed('schema', 'pay')).toEqual(['payouts']);
  expect(completed('schema', 'payouts', 'li')).toEqual(['list']);
});

const missing = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).error !== undefined;

it.skipIf(missing('zsh'))(
  'completes in zsh at the first Tab, from a folder of functions',
  async () => {
    const functions = join(folder.path, 'functions');
    mkdirSync(functions, { recursive: true });
    renameSync(await written('zsh'), join(functions, '_oja'));
    // A shell on a terminal of its own, as completion needs one: what it wrote when it was given a Tab.
    const onTerminal = (typed: string) =>
      spawnSync(
        'zsh',
        [
          '-fc',
          `zmodload zsh/zpty; zpty shell zsh -fi
zpty -w shell "PS1=; fpath=('$1' $fpath); autoload -Uz compinit; compinit -D -u; bindkey '^I' complete-word; print re''ady"
zpty -r shell told '*ready*'
zpty -w -n shell "$2"$'\t'
zpty -r shell told "*$3*" && print -r -- found; zpty -d shell`,
          'zsh',
          functions,
          ...typed.split('|'),
        ],
        { encoding: 'utf8', timeout: 30_000 },
      ).stdout;
    expect(onTerminal('oja ev|events')).toContain('found');
    expect(onTerminal('oja replay catalogue --st|--stream')).toContain('found');
    expect(onTerminal('oja replay switch ti|timeline')).toContain('found');
    expect(onTerminal('oja logs --level fa|fatal')).toContain('found');
    expect(onTerminal('oja schema payo|payouts')).toContain('found');
  },
);

it.skipIf(missing('fish'))('completes in fish, with what each does', async () => {
  const file = await written('fish');
  const completed = (typed: string) =>
    execFileSync('fish', ['--no-config', '-c', `source '${file}'; complete -C '${typed}'`], {
      encoding: 'utf8',
    })
      .trim()
      .split('\n');
  expect(completed('oja ev')).toEqual([
    'events\tshow events of the log; personal values stay sealed',
  ]);
  expect(completed('oja events tail --fo')).toEqual([expect.stringMatching(/^--follow\t/)]);
  expect(completed('oja replay switch ti')).toEqual(['timeline\tstep or projection']);
  expect(completed('oja logs --level fa')).toEqual([expect.stringMatching(/^fatal\b/)]);
  expect(completed('oja logs --level ').map((line) => line.split('\t')[0])).toEqual([
    'debug',
    'error',
    'fatal',
    'info',
    'warn',
  ]);
  expect(completed('oja schema payouts li')).toEqual([expect.stringMatching(/^list\t/)]);
});

it.each(['bash', 'zsh', 'fish'])('names every command and option in %s', async (shell) => {
  const file = await written(shell);
  const script = execFileSync('cat', [file], { encoding: 'utf8' });
  for (const { path, words } of await ojaJson<readonly Place[]>(folder.path, ['completion', shell]))
    for (const { word } of words) {
      expect(script).toContain(path);
      expect(script).toContain(shell === 'fish' ? word.replace(/^--/, '-l ') : word);
    }
  // Only a shell that is there can say whether it is its own language.
  const read = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
  expect(read.error === undefined ? read.stderr : '').toBe('');
});

it('says which shells there are', async () => {
  expect(await oja(folder.path, ['completion', 'fsh'])).toMatchObject({
    code: 2,
    lines: ["There is no shell 'fsh'; the nearest is zsh."],
  });
  expect(await oja(folder.path, ['completion', 'powershell'])).toMatchObject({
    code: 2,
    lines: ["There is no shell 'powershell': name one of bash, zsh, fish."],
  });
});
