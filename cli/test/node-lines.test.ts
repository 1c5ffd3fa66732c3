import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Binaries of other lines of Node, with a colon between two: npm's `node` package is one for each. */
const others = (process.env.OTHER_NODES ?? '').split(':').filter((path) => path !== '');
if (others.length === 0) console.info('skipped: other lines of Node (OTHER_NODES names none)');

/** Runs a program of this checkout on another Node; answers what it said and its exit code. */
async function ranOn(node: string, args: readonly string[]) {
  const ours = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const child = spawn(node, args, { cwd: ROOT, env: Object.fromEntries(ours) });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      text += String(part);
    });
  const [code] = await once(child, 'close');
  return { code, text };
}

it.skipIf(others.length === 0)(
  'a market opens, sells and closes on every other line of Node',
  async () => {
    for (const node of others) {
      const version = await ranOn(node, ['--version']);
      expect(version.text.trim()).not.toBe(process.version);
      const thread = ['run', '--project', 'markets', 'cli/test/trace.test.ts'];
      const { code, text } = await ranOn(node, ['node_modules/vitest/vitest.mjs', ...thread]);
      expect(code, `${version.text}${text}`).toBe(0);
    }
  },
  900_000,
);
