import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
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
    lines: ["There is no completion for 'fsh'; the nearest is zsh: bash, zsh, fish."],
  });
});
