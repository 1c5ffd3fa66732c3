import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Market, temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';

const folder = temporaryFolder();
let market: Market | null = null;
let told = '';

beforeAll(async () => {
  market = await openSampleMarket(folder.path);
  // The read models have passed the log once it is open; the first figures follow.
  const isThere = async () => (await ask()).includes('oja_projection_lag_seconds{');
  await vi.waitUntil(isThere, { timeout: 60_000 });
  told = await ask();
}, 120_000);
afterAll(async () => {
  await market?.stop();
  folder.remove();
});

async function ask(): Promise<string> {
  return (await fetch(`${market?.url}/metrics`)).text();
}

const deployed = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../deploy', name), 'utf8');

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
