import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { obligations } from '@oja/contracts/models';
import { collectionName, modelKey, POINTERS, type Pointer } from '@oja/platform';
import { beforeAll, expect, it, vi } from 'vitest';
import { ojaJson } from './support/oja.js';
import { openFiles } from './support/opened.js';
import { useSampleMarket } from './support/sample.js';

const market = useSampleMarket();
let told = '';

beforeAll(async () => {
  // The read models have passed the log once it is open; the first figures follow.
  const isThere = async () => (await ask()).includes('oja_projection_lag_seconds{');
  await vi.waitUntil(isThere, { timeout: 60_000 });
  told = await ask();
}, 120_000);

async function ask(): Promise<string> {
  return (await fetch(`${market.url}/metrics`)).text();
}

const place = (name: string) => join(import.meta.dirname, '../../deploy', name);
const deployed = (name: string) => readFileSync(place(name), 'utf8');

/** What the table of `oja status` in the guide says to alarm at, row by row, and the rule's figure for it. */
const alarms: Readonly<Record<string, string>> = {
  'lag of a read model': 'oja_projection_lag_seconds',
  services: 'oja_problems > 0',
  'disk space, writes': 'oja_writes_stopped',
  'parked streams': 'oja_projection_parked_streams',
  'missing documents': 'oja_documents_missing',
  'overdue obligations': 'oja_obligations_overdue',
  ledger: 'oja_ledger_unbalanced_accounts',
  'money held aside': 'oja_ledger_held_aside_kobo',
  jobs: 'oja_jobs_failed',
  readiness: 'oja_http_request_duration_seconds_count{route="/readyz"',
  requests: 'oja_http_request_duration_seconds_count{route!="/readyz"',
};
/** For these the guide has another way. */
const unalarmed = ['last error'];

it('has a rule for each row of the table of the guide', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  const [, table = ''] = guide.split(/^\| what +\| where +\| alarm when +\|\n/m);
  const [rows = ''] = table.split('\n\n');
  const named = [...rows.matchAll(/^\| \[?([a-z][a-z0-9, ]*[a-z])/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual([...Object.keys(alarms), ...unalarmed].sort());
  const rules = deployed('alerts.yml').split(/^ +- alert: /m);
  for (const [row, figure] of Object.entries(alarms)) {
    const hasRule = rules.some((rule) => rule.split(/^ +labels:/m)[0]?.includes(figure));
    expect({ row, hasRule }).toEqual({ row, hasRule: true });
  }
});

it('blames no service for what no rule but that of the problems tells of', () => {
  const [, ofProblems = ''] = deployed('alerts.yml').split(
    /^ +- alert: (?:OjaProblems|OjaNotReady)$/m,
  );
  for (const cause of [
    'a service does not run',
    'the payment provider refuses the key',
    'Redis does not answer',
    'a read model is missing or ahead of the log',
  ])
    expect(ofProblems).toContain(cause);
});

/** Of Prometheus; Debian's package of that name has it. */
const promtool = (args: readonly string[], input = '') =>
  spawnSync('promtool', args, { encoding: 'utf8', input });
const hasPromtool = promtool(['--version']).status === 0;
if (!hasPromtool) console.info('skipped: the alarms as Prometheus reads them (no promtool here)');

/** A histogram is asked for by its parts. */
const metricsIn = (text: string): readonly string[] => [
  ...new Set(text.match(/\b(?:oja|nodejs|process)_[a-z0-9_]+_?[a-z0-9]*\b/g) ?? []),
];

it.each(['alerts.yml', 'grafana-dashboard.json'])('has every metric that %s asks for', (name) => {
  const asked = metricsIn(deployed(name));
  expect(asked.length).toBeGreaterThan(8);
  for (const metric of asked) {
    const whole = metric.replace(/_(bucket|count|sum)$/, '');
    // A counter that has not counted yet has a name, and no figure.
    expect(told).toMatch(new RegExp(`^# TYPE (${metric}|${whole}) `, 'm'));
  }
});

it.skipIf(!hasPromtool)('has alarms that Prometheus takes', () => {
  const rules = deployed('alerts.yml').match(/^ +- alert: /gm) ?? [];
  expect(rules.length).toBeGreaterThan(8);
  const { status, stdout, stderr } = promtool(['check', 'rules', place('alerts.yml')]);
  expect(status, stderr).toBe(0);
  expect(stdout).toContain(`SUCCESS: ${rules.length} rules found`);
});

it.skipIf(!hasPromtool).each([
  { who: 'whoever asks whether it is ready', route: '/readyz', alarmed: false },
  { who: 'a shopper', route: '/v1/products/search', alarmed: true },
])('alarms when $who gets no answer: $alarmed', ({ route, alarmed }) => {
  const answers = (of: string, status: number) =>
    `oja_http_request_duration_seconds_count{method="GET",route="${of}",status="${status}"}`;
  const rest = {
    exp_labels: { severity: 'page' },
    exp_annotations: { summary: '1.961% of all requests are answered with a 5xx status.' },
  };
  const alert = {
    eval_time: '30m',
    alertname: 'OjaAnswersFail',
    exp_alerts: alarmed ? [rest] : [],
  };
  const input_series = [
    { series: answers('/v1/settings', 200), values: '0+100x60' },
    { series: answers(route, 503), values: '0+2x60' },
  ];
  const tests = [{ interval: '1m', input_series, alert_rule_test: [alert] }];
  const file = join(market.dataDir, 'alarms.json');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ rule_files: [place('alerts.yml')], tests }));
  const { status, stdout, stderr } = promtool(['test', 'rules', file]);
  expect(status, stdout + stderr).toBe(0);
});

it.skipIf(!hasPromtool).each([
  {
    what: 'a service does not run',
    series: 'oja_problems',
    values: '1x10',
    alertname: 'OjaProblems',
  },
  {
    what: 'a process stays unready',
    series:
      'oja_http_request_duration_seconds_count{method="GET",route="/readyz",status="503",instance="one"}',
    values: '1+20x10',
    alertname: 'OjaNotReady',
  },
])('tells after five minutes that $what', ({ series, values, alertname }) => {
  const check = (eval_time: string, firing: number) => ({
    expr: `count(ALERTS{alertname="${alertname}",alertstate="firing"}) or vector(0)`,
    eval_time,
    exp_samples: [{ labels: '{}', value: firing }],
  });
  const tests = [
    {
      interval: '1m',
      input_series: [{ series, values }],
      promql_expr_test: [check('4m', 0), check('8m', 1)],
    },
  ];
  const file = join(market.dataDir, 'alarms.json');
  writeFileSync(file, JSON.stringify({ rule_files: [place('alerts.yml')], tests }));
  const { status, stdout, stderr } = promtool(['test', 'rules', file]);
  expect(status, stdout + stderr).toBe(0);
});

it.skipIf(!hasPromtool)('has figures in which Prometheus finds nothing to blame', () => {
  const ours = told.split('\n').filter((line) => /^(# \w+ )?oja_/.test(line));
  const { status, stdout, stderr } = promtool(['check', 'metrics'], `${ours.join('\n')}\n`);
  expect(status, stdout + stderr).toBe(0);
});

it('names figures by the conventions: a help, a base unit, a total only of counters', () => {
  const types = [...told.matchAll(/^# TYPE (oja_\S+) (\S+)$/gm)];
  expect(types.length).toBeGreaterThan(12);
  for (const [, name = '', type] of types) {
    expect(told).toContain(`# HELP ${name} `);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    expect(name).not.toMatch(/_(ms|minutes|naira|percent)$/);
  }
});

it('tells what the guide says to alarm at', () => {
  for (const line of [
    /^oja_projection_parked_streams\{projection="catalogue"\} 0$/m,
    /^oja_obligations_overdue\{kind="refund"\} 0$/m,
    /^oja_jobs_failed\{queue="webhooks"\} 0$/m,
    /^oja_ledger_unbalanced_accounts 0$/m,
    /^oja_ledger_held_aside_kobo \d+$/m,
    /^oja_problems \d+$/m,
    /^oja_writes_stopped\{file="log.db"\} 0$/m,
  ])
    expect(told).toMatch(line);
});

it('counts what has been overdue for longest, however much is due later', async () => {
  await market.stop();
  const { documents, close } = await openFiles(market.dataDir);
  const pointer = await documents.get<Pointer>(POINTERS, modelKey(obligations));
  const collection = collectionName(obligations, pointer?.live ?? 0, 'due');
  const owed = { kind: 'order-expiry', position: '', dueTimes: null };
  const bare = { sellerId: null, amount: null, item: null, providerId: null, keySubject: null };
  const put = (id: string, due: string) => {
    const document = { ...owed, ...bare, subject: id, due };
    return { type: 'put', collection, id, document } as const;
  };
  const later = Array.from({ length: 5_001 }, (_, n) => put(`later-${n}`, '2199-01-31T00:00:00Z'));
  await documents.commit([put('long-ago', '2001-01-31T00:00:00Z'), ...later]);
  await close();
  const { obligations: counted } = await ojaJson<{ obligations: object[] }>(market.dataDir, [
    'status',
  ]);
  expect(counted).toContainEqual(
    expect.objectContaining({ kind: 'order-expiry', overdue: 1, oldest: '2001-01-31T00:00:00Z' }),
  );
});
