// `npm test`: installs, builds and runs every test; the last line counts them.
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { mkdirSync, readFileSync, rmSync } = await import('node:fs');
const { install, build } = await import('./lib/prepare.mjs');
const { npm, run } = await import('./lib/run.mjs');

const REPORTS = 'test-results/reports';
const totals = { passed: 0, failed: 0, skipped: 0 };

const count = (passed, failed, skipped = 0) => {
  totals.passed += passed;
  totals.failed += failed;
  totals.skipped += skipped;
};

/** A check that has no tests of its own counts as one. */
async function check(name, ...script) {
  console.log(`\n— ${name}`);
  const passed = await npm(['run', '--silent', ...script]);
  if (passed) console.log('ok');
  count(passed ? 1 : 0, passed ? 0 : 1);
}

/** A runner that dies without a report is one failure: no report is never a success. */
async function suite(name, command, args, read, env) {
  console.log(`\n— ${name}`);
  const passed = await run('npx', ['--no-install', command, ...args], { loud: true, env });
  try {
    const [good, bad, skipped] = read();
    count(good, !passed && bad === 0 ? 1 : bad, skipped);
  } catch {
    console.error(`${name} left no report`);
    count(0, 1);
  }
}

await install();
await build();
rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

await check('types', 'types');
await check('lint', 'lint');
await check('arrows', 'arrows');

const vitestReport = `${REPORTS}/vitest.json`;
await suite(
  'unit and contracts',
  'vitest',
  ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${vitestReport}`],
  () => {
    const r = JSON.parse(readFileSync(vitestReport, 'utf8'));
    return [r.numPassedTests, r.numFailedTests, r.numPendingTests + r.numTodoTests];
  },
);

const { findChromium } = await import('./lib/chromium.mjs');
const chromium = await findChromium();
if (chromium) {
  const browserReport = `${REPORTS}/browser.json`;
  await suite(
    'browser',
    'playwright',
    ['test'],
    () => {
      const { stats } = JSON.parse(readFileSync(browserReport, 'utf8'));
      return [stats.expected + stats.flaky, stats.unexpected, stats.skipped];
    },
    { CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport },
  );
} else {
  console.log('\n— browser: skipped, no Chromium could be had');
  totals.skipped += 1;
}

const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
console.log(`\n${totals.passed} passed, ${totals.failed} failed${skipped}`);
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);
