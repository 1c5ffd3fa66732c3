import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const CLI = fileURLToPath(new URL('../../../dist/commands/shared/', import.meta.url));

/** A process that says it is there, and on a line from its standard input removes what was left in a folder. */
const CLEANER = `
  const { removeLeftKeys } = await import(process.argv[1]);
  process.stdin.once('data', () => { removeLeftKeys(process.argv[2]); process.stdin.destroy(); });
  console.log('ready');
`;

it('lets several processes remove at once what killed ones have left', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'oja-test-left-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  for (let n = 0; n < 100; n += 1) {
    const left = join(dataDir, `draft-${n}`);
    mkdirSync(left);
    writeFileSync(join(left, 'temporary.lock'), '');
    writeFileSync(join(left, 'draft'), `market.oja.${String(n).padStart(12, '0')}.part`);
  }
  const args = ['--input-type=module', '-e', CLEANER, join(CLI, 'temporary-folder.js'), dataDir];
  const env = { PATH: process.env.PATH, TMPDIR: dataDir };
  const cleaners = Array.from({ length: 4 }, () => spawn(process.execPath, args, { env }));
  await Promise.all(cleaners.map(({ stdout }) => once(createInterface(stdout), 'line')));
  const ended = cleaners.map(async (cleaner) => {
    const [said, [code]] = await Promise.all([text(cleaner.stderr), once(cleaner, 'exit')]);
    return { code, said };
  });
  for (const { stdin } of cleaners) stdin.write('go\n');
  expect(await Promise.all(ended)).toEqual(cleaners.map(() => ({ code: 0, said: '' })));
  expect(readdirSync(dataDir)).toEqual([]);
});
