import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

/** Writes much, waits for none of it, and closes; nothing else keeps this process alive. */
const program = `
  const [, , platform, file] = process.argv;
  const { createEmbeddedState } = await import(platform);
  const state = await createEmbeddedState({ file });
  const text = 'x'.repeat(2_000_000);
  for (let i = 0; i < 50; i += 1) state.put('a', String(i), { text }, 1).catch(() => {});
  await state.close();
  console.log('closed');
`;

it('a process that closes a file while it writes to it stays until the file is closed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oja-closing-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const script = join(folder, 'closing.mjs');
  writeFileSync(script, program);
  const platform = new URL('../dist/index.js', import.meta.url).href;
  const args = [script, platform, join(folder, 'state.db')];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'closed\n' });
});
