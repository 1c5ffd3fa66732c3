import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documents, halves, type Line, linesOf, runEach } from './support/guide.js';
import { oja } from './support/oja.js';

const ROOT = join(import.meta.dirname, '../..');
const [before, after] = halves();

/**
 * What is no `oja` and no `curl`: npm's own, and what needs a machine or a network to itself. Each says
 * which file runs it, or holds what it uses to what is there.
 */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^npm start$/, 'test/browser/thread.spec.ts'],
  [/^npm test$/, '.ci/run'],
  [/^npm run (types|lint|arrows|unused|unit|browser)$/, 'scripts/test.mjs'],
  [/^npm run test:cluster$/, 'scripts/test-cluster.mjs'],
  [/^npm run chaos /, 'test/chaos/chaos.test.ts'],
  [/^npm run simulate /, 'test/simulation/simulation.test.ts'],
  [/^npm run siege /, 'test/siege/siege.test.ts'],
  [/^npm run build$/, 'scripts/lib/prepare.mjs'],
  [/^npm run bench( -- search( \d+)?)?$/, 'bench/run.mjs'],
  [/^npm run lighthouse$/, 'bench/lighthouse.mjs'],
  [/^node scripts\/edge\.mjs --print /, 'test/cluster/systemd.test.ts'],
  [/^npm run edge$/, 'test/cluster/edge.test.ts'],
  [/^cp \.env\.example \.env && docker compose up$/, 'test/cluster/compose.test.ts'],
  [/^(git pull|docker compose (build|run|up)\b)/, 'test/cluster/compose.guide.test.ts'],
  [/^(sudo|openssl|printf) /, 'test/cluster/systemd.test.ts'],
  // A collector of traces, which is not ours.
  [/^docker run .*jaeger/, 'docs/operations.md'],
];

const others = linesOf(before + after).filter(
  ({ program }) => program !== 'oja' && program !== 'curl',
);
const written = ({ program, args }: Line) => [program, ...args].join(' ');

it.each(others.map((line) => [written(line), line] as const))(
  '%s is run where it can be',
  (text, { program, args: [verb, name] }) => {
    const [, file = 'nowhere'] = elsewhere.find(([form]) => form.test(text)) ?? [];
    expect(existsSync(join(ROOT, file)), `${text}: ${file}`).toBe(true);
    if (program !== 'npm' || verb !== 'run') return;
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(Object.keys(scripts)).toContain(name);
  },
);

it.each(elsewhere)('%s stands in a document', (form) => {
  expect(others.map(written).filter((text) => form.test(text))).not.toEqual([]);
});

it('says of each bench that there is what it measures, and of no other', () => {
  const figures = readFileSync(join(ROOT, 'bench/README.md'), 'utf8');
  const named = [...figures.matchAll(/^\| `(\w+)` +\| .* \| .* \|$/gm)].map(
    ([, name]) => `${name}.mjs`,
  );
  const none = ['run.mjs', 'lighthouse.mjs'];
  const benches = readdirSync(join(ROOT, 'bench')).filter((file) => file.endsWith('.mjs'));
  expect(named.sort()).toEqual(benches.filter((file) => !none.includes(file)).sort());
});

/** What the command line knows: each command, and the options that it takes. */
interface Place {
  readonly path: string;
  readonly words: readonly { readonly word: string }[];
}

it.each([...documents, 'CHANGELOG.md'])(
  '%s names in its sentences only what oja knows',
  async (name) => {
    const places: readonly Place[] = JSON.parse(
      (await oja('', ['completion', 'bash', '--json'])).text,
    );
    const isPlace = (path: string) => places.some((place) => place.path === path);
    const text = readFileSync(join(ROOT, name), 'utf8').replace(/```[\s\S]*?```/g, '');
    const named = [...text.matchAll(/`([^`]+)`/g)]
      .flatMap(([, code = '']) => code.replace(/\s+/g, ' ').split(' && '))
      .flatMap((code) => /^(?:npx )?oja (.+)$/.exec(code)?.[1] ?? []);
    const unknown = named.filter((command) => {
      const words = command.split(' ').map((word) => word.split(/\\?\|/)[0] ?? '');
      const depth = words.findIndex((_, i) => !isPlace(words.slice(0, i + 1).join(' ')));
      const path = words.slice(0, depth < 0 ? undefined : depth).join(' ');
      const known =
        places.find((place) => place.path === path)?.words.map(({ word }) => word) ?? [];
      return path === ''
        ? !/^(--help|…)$/.test(command)
        : words.some((word) => word.startsWith('--') && !known.includes(word));
    });
    expect(unknown).toEqual([]);
  },
);

it('has read all of the documents', () => {
  const ours = linesOf(before + after).filter(({ program }) => program === 'oja');
  expect(ours.length).toBeGreaterThan(60);
});

runEach(before);
