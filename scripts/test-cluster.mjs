// `npm run test:cluster`: runs two of each service, every engine's contract suite and an order through
// separate services, on the servers that EVENTSTORE_URL, MONGODB_URL and REDIS_URL name; without
// REDIS_URL on a redis-server of its own. The output names what ran and what did not; the last line has
// the counts. The tests that move or import a market, or sell in it with two versions, each need an
// empty log: EVENTSTORE_EMPTY_URL names four servers that nobody has written to, separated by commas.
// MONGOD and EVENTSTORED name the programs of MongoDB and EventStoreDB, of which three are started to lose their leader.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { mkdirSync, readFileSync, rmSync } = await import('node:fs');
const { prepare } = await import('./lib/prepare.mjs');
const { run } = await import('./lib/run.mjs');

const REPORTS = 'test-results/reports';
/** Run one after the other. The first needs a log that nobody else writes to; the others leave much in it. */
const RUNS = [
  { name: 'pairs', files: ['test/pairs'], env: { ALONE: '1' } },
  { name: 'move', files: ['test/move'] },
  { name: 'versions', files: ['test/versions/versions.test.ts'] },
  {
    name: 'cluster',
    files: ['platform/test/contracts', 'test/thread/split-services.test.ts', 'test/cluster'],
  },
];
/** Matches the titles of suites that test an engine. */
const ON_ENGINE = / on (?!a )/;

await prepare('running the suites');
mkdirSync(REPORTS, { recursive: true });

/** Runs one group of tests and reads vitest's report; a missing report counts as a failure. */
async function tested({ name, files, env }) {
  const report = `${REPORTS}/${name}.json`;
  rmSync(report, { force: true });
  const args = [
    'run',
    '--project',
    'node',
    '--project',
    'markets',
    ...files,
    '--reporter=dot',
    '--reporter=json',
  ];
  const went = await run(
    'npx',
    ['--no-install', 'vitest', ...args, `--outputFile.json=${report}`],
    {
      loud: true,
      env,
    },
  );
  try {
    const { testResults, numPassedTests, numFailedTests } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    return { testResults, passed: numPassedTests, failed: Math.max(numFailedTests, went ? 0 : 1) };
  } catch {
    console.error(`${name} left no report.`);
    return { testResults: [], passed: 0, failed: 1 };
  }
}

/** Passed and failed tests, and why a suite did not run, by the name of the outermost suite. */
function byEngine(testResults) {
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

const outcomes = [];
for (const each of RUNS) outcomes.push(await tested(each));
const engines = byEngine(outcomes.flatMap(({ testResults }) => testResults));
const ran = engines.filter(([, { passed, failed }]) => passed + failed > 0);
console.log('\nRan:');
for (const [name, { passed, failed }] of ran)
  console.log(`  ${name}: ${passed} passed, ${failed} failed`);
console.log('Not run:');
for (const [name, { why }] of engines.filter((engine) => !ran.includes(engine)))
  console.log(`  ${name}: ${why}`);
const sum = (of) => outcomes.reduce((total, outcome) => total + outcome[of], 0);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') === 0 && sum('passed') > 0 ? 0 : 1);
