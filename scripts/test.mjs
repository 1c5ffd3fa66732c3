// `npm test`: installs, builds and runs every test; the last line counts them.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { mkdirSync, readFileSync, rmSync } = await import('node:fs');
const { relative } = await import('node:path');
const { stripVTControlCharacters } = await import('node:util');
const { findChromium } = await import('./lib/chromium.mjs');
const { prepare } = await import('./lib/prepare.mjs');
const { npm, run } = await import('./lib/run.mjs');

const REPORTS = 'test-results/reports';
const totals = { passed: 0, failed: 0, skipped: 0 };
/** Failures, printed again at the end because the log of a whole run is long. */
const fallen = [];
/** Tests that failed once and passed when they were retried. */
const unsteady = [];

/** Adds to the totals; `failed` and `twice` are lists of texts, one per test. */
const count = (passed, failed, skipped = 0, twice = []) => {
  totals.passed += passed;
  totals.failed += failed.length;
  totals.skipped += skipped;
  fallen.push(...failed);
  unsteady.push(...twice);
};

/** Lines of a failure that are printed again: expected and received values, without the stack. */
const LINES = 12;

const told = (name, why) => {
  const lines = stripVTControlCharacters(why).split('\n');
  const words = lines.filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
  return [name, ...words.slice(0, LINES).map((line) => `    ${line}`)].join('\n');
};

/** Runs an npm script as a check. A check has no tests of its own and counts as one test. */
async function check(name, script) {
  const passed = await npm(['run', '--silent', script]);
  console.log(`\n— ${name}: ${passed ? 'ok' : 'failed'}`);
  count(passed ? 1 : 0, passed ? [] : [name]);
}

/** Runs a test runner. One that dies without a report counts as a failure: no report is never a success. */
async function suite(name, command, args, read, env) {
  console.log(`\n— ${name}`);
  const passed = await run('npx', ['--no-install', command, ...args], { loud: true, env });
  try {
    const [good, bad, skipped, twice] = read();
    const outside = `${name}: an error outside of any test`;
    count(good, !passed && bad.length === 0 ? [outside] : bad, skipped, twice);
  } catch {
    count(0, [`${name}: left no report`]);
  }
}

await prepare('running every test');
rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

const checkAll = async () => {
  await check('types', 'types');
  await check('lint', 'lint');
  await check('arrows', 'arrows');
  await check('what nobody uses', 'unused');
};

const vitestReport = `${REPORTS}/vitest.json`;
const runUnits = () =>
  suite(
    'unit and contracts',
    'vitest',
    ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${vitestReport}`],
    () => {
      const r = JSON.parse(readFileSync(vitestReport, 'utf8'));
      const tests = r.testResults.flatMap(({ name, assertionResults }) =>
        assertionResults.map((test) => ({ ...test, file: relative('.', name) })),
      );
      const tell = ({ file, fullName, failureMessages: [why = ''] }) =>
        told(`${file}: ${fullName}`, why);
      const bad = tests.filter(({ status }) => status === 'failed').map(tell);
      // A file that cannot be loaded fails without a failed test.
      const broken = r.testResults
        .filter(
          ({ status, assertionResults }) =>
            status === 'failed' && !assertionResults.some(({ status }) => status === 'failed'),
        )
        .map(({ name }) => relative('.', name));
      const twice = tests
        .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
        .map(tell);
      return [r.numPassedTests, [...bad, ...broken], r.numPendingTests + r.numTodoTests, twice];
    },
  );

const browserReport = `${REPORTS}/browser.json`;
async function runBrowser() {
  const chromium = await findChromium();
  if (!chromium) {
    console.log('\n— browser: skipped, no Chromium could be had');
    totals.skipped += 1;
    return;
  }
  const read = () => {
    const { stats, suites } = JSON.parse(readFileSync(browserReport, 'utf8'));
    const specsOf = (suite) => [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];
    const specs = suites.flatMap(specsOf);
    const tell = ({ file, title, tests }) => {
      const [error] = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors));
      return told(`${file}: ${title}`, error?.message ?? '');
    };
    const bad = specs.filter(({ ok }) => !ok).map(tell);
    const twice = specs
      .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
      .map(tell);
    return [stats.expected + stats.flaky, bad, stats.skipped, twice];
  };
  const env = { ...chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport };
  await suite('browser', 'playwright', ['test'], read, env);
}

// The checks take what the tests leave of the cores. Unit and browser tests at once would only be slower each: what
// waits for the other's browsers and markets is not far from its time limits then.
await Promise.all([runUnits(), checkAll()]);
await runBrowser();

const list = (title, names) => {
  if (names.length > 0) console.log(`\n${title}:\n${names.map((name) => `  ${name}`).join('\n')}`);
};
list('Passed at the second try', unsteady);
list('Failed', fallen);
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
console.log(`\n${totals.passed} passed, ${totals.failed} failed${skipped}`);
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);
