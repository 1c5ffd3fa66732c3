import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { searchFiles } from './search.js';

/** How much of a file is read at once. */
const PART = 4 * 1024 * 1024;
const email = 'chidi "CJ" ọkà@example.com';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oja-search-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const foundIn = (bytes: Buffer | string, wanted = [{ field: 'email', text: email }]) => {
  writeFileSync(join(folder, 'file'), bytes);
  return searchFiles(folder, wanted).found.map(({ field }) => field);
};
const base64 = (text: string) => Buffer.from(text).toString('base64');

it.each([
  ['as it is', email],
  ['inside JSON', JSON.stringify({ email })],
  ['in base64', base64(email)],
  ['in base64 after one other byte', base64(`1${email}, and so on`)],
  ['in base64 after two other bytes', base64(`12${email}, and so on`)],
])('finds a text %s', (_, written) => {
  expect(foundIn(`before ${written} after`)).toEqual(['email']);
});

it('finds nothing in a file that says something similar', () => {
  expect(foundIn(`${email.slice(0, -1)} ${base64(email.slice(4))} ${email.toUpperCase()}`)).toEqual(
    [],
  );
});

it('finds a text wherever the end of a part cuts it', () => {
  const bytes = Buffer.from(email);
  const file = Buffer.alloc(2 * PART + bytes.length);
  for (const end of [PART, 2 * PART])
    for (let before = 0; before <= bytes.length; before += 1) {
      file.fill(0);
      bytes.copy(file, end - before);
      expect([end, before, foundIn(file)]).toEqual([end, before, ['email']]);
    }
});

it('names each file below the folder and each field that it holds, once', () => {
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  const both = `${email} ${email} 4 Odim Street, Nsukka`;
  writeFileSync(join(folder, 'a/b/both'), both);
  writeFileSync(join(folder, 'none'), 'nothing');
  const wanted = [
    { field: 'email', text: email },
    { field: 'address', text: '4 Odim Street, Nsukka' },
  ];
  const { files, bytes, found } = searchFiles(folder, wanted);
  expect(found).toEqual([
    { file: 'a/b/both', field: 'email' },
    { file: 'a/b/both', field: 'address' },
  ]);
  expect({ files, bytes }).toEqual({ files: 2, bytes: Buffer.byteLength(`${both}nothing`) });
});

/** Runs it as a user who has no right to files of mode 0: root has, and becomes 'nobody' for it. */
function withoutRights<T>(work: () => T): T {
  const own = process.getuid?.() === 0 ? process.seteuid : undefined;
  own?.('nobody');
  try {
    return work();
  } finally {
    own?.(0);
  }
}

it('names what may not be read, and searches the rest', () => {
  chmodSync(folder, 0o755);
  for (const name of ['closed', 'open']) mkdirSync(join(folder, name));
  for (const name of ['closed/in', 'open/in', 'open/closed'])
    writeFileSync(join(folder, name), email);
  // Whatever this process makes may be its own alone: where a data folder was opened, its umask says so.
  chmodSync(join(folder, 'open'), 0o755);
  chmodSync(join(folder, 'open/in'), 0o644);
  for (const name of ['closed', 'open/closed']) chmodSync(join(folder, name), 0);
  const { found, files, unsearched } = withoutRights(() =>
    searchFiles(folder, [{ field: 'email', text: email }]),
  );
  expect({ found, files }).toEqual({ found: [{ file: 'open/in', field: 'email' }], files: 1 });
  expect([...unsearched].sort()).toEqual(['closed', 'open/closed']);
});
