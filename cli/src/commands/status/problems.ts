import { LAG_COUNTED } from '@oja/projector';
import { serviceNames } from '../../market/part.js';
import type { MarketFigures } from './figures.js';

/** From here on a lag is trouble, in seconds. */
const LAG_ALARM_S = 30;

/** What is not there of a market whose services were started one by one. */
function missingServices(processes: MarketFigures['processes']): readonly string[] {
  const names = processes.map(({ service }) => service);
  if (names.length === 0 || names.includes('market')) return [];
  return serviceNames.filter((name) => !names.includes(name));
}

/** What of it needs a person, in words. */
export function problemsOf({
  running,
  processes,
  projections: generations,
  queues: counts,
  obligations,
  money,
}: MarketFigures): readonly string[] {
  const problems = missingServices(processes).map((name) => `${name} does not run`);
  for (const { projection, role, lag, aheadOfLog, parked } of generations) {
    if (aheadOfLog) problems.push(`${projection} stands beyond the end of the log`);
    if (running && role === 'live' && lag.seconds > LAG_ALARM_S) {
      const many = lag.events >= LAG_COUNTED ? `at least ${LAG_COUNTED}` : lag.events;
      problems.push(`${projection} is ${many} events and ${Math.round(lag.seconds)} s behind`);
    }
    for (const { stream } of parked) problems.push(`${projection} has parked ${stream}`);
  }
  for (const { kind, overdue, oldest } of obligations)
    if (running && overdue > 0)
      problems.push(`${overdue} × ${kind} overdue, the oldest since ${oldest}`);
  for (const [queue, { failed }] of Object.entries(counts))
    if (failed > 0) problems.push(`${failed} jobs of ${queue} have failed for good`);
  if (money !== null && !money.balanced)
    problems.push(`the ledger is not balanced: ${money.unbalanced} accounts`);
  if (money !== null && money.heldAside > 0)
    problems.push(`money that belongs to no order is held aside: ${money.heldAside} kobo`);
  return problems;
}
