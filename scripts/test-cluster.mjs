// `npm run test:cluster`: every engine's contract suite and an order through separate services, on what
// EVENTSTORE_URL, MONGODB_URL and REDIS_URL name; without the last, on a redis-server of its own. It
// says by name what ran and what did not; the last line counts.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { mkdirSync, readFileSync, rmSync } = await import('node:fs');
const { install, build } = await import('./lib/prepare.mjs');
const { run } = await import('./lib/run.mjs');

const REPORTS = 'test-results/reports';
const REPORT = `${REPORTS}/cluster.json`;
const SUITES = ['platform/test/contracts', 'test/thread/split-services.test.ts', 'test/cluster'];
/** How suites are called that are about an engine. */
const ON_ENGINE = / on (?!a )/;

await install();
await build();
mkdirSync(REPORTS, { recursive: true });
rmSync(REPORT, { force: true });
const went = await run(
  'npx',
  ['--no-install', 'vitest', 'run', '--project', 'node', ...SUITES].concat([
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${REPORT}`,
  ]),
  { loud: true },
);

/** Passed, failed and skipped tests by the name of their outermost suite. */
function byEngine({ testResults }) {
  const engines = new Map();
  for (const { assertionResults } of testResults)
    for (const { ancestorTitles, status, title } of assertionResults) {
      const [name = ''] = ancestorTitles;
      if (!ON_ENGINE.test(name)) continue;
      const counted = engines.get(name) ?? { passed: 0, failed: 0, why: '' };
      if (status === 'passed' || status === 'failed') counted[status] += 1;
      else if (title.startsWith('was not reached: ')) counted.why = title;
      engines.set(name, counted);
    }
  return [...engines].sort(([a], [b]) => (a < b ? -1 : 1));
}

let report;
try {
  report = JSON.parse(readFileSync(REPORT, 'utf8'));
} catch {
  console.error('The tests left no report.');
  console.log('\n0 passed, 1 failed');
  process.exit(1);
}
const engines = byEngine(report);
const ran = engines.filter(([, { passed, failed }]) => passed + failed > 0);
console.log('\nRan:');
for (const [name, { passed, failed }] of ran)
  console.log(`  ${name}: ${passed} passed, ${failed} failed`);
console.log('Not run:');
for (const [name, { why }] of engines.filter((engine) => !ran.includes(engine)))
  console.log(`  ${name}: ${why}`);
const failed = Math.max(report.numFailedTests, went ? 0 : 1);
console.log(`\n${report.numPassedTests} passed, ${failed} failed`);
process.exit(failed === 0 && report.numPassedTests > 0 ? 0 : 1);
