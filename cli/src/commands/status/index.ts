import { formatNaira } from '@oja/domain';
import { LAG_COUNTED } from '@oja/projector';
import { withContext } from '../../runtime/context.js';
import { exitCodes } from '../../terminal/exit.js';
import { type Output, paint, show, table } from '../../terminal/output.js';
import { type MarketStatus, marketStatus } from './figures.js';

const megabytes = (bytes: number | null) =>
  bytes === null ? '' : `${(bytes / 1_000_000).toFixed(1)} MB`;
const place = (position: string | null) => position?.replace(/^0+(?=\d)/, '') ?? '-';

function projectionRows({ projections }: MarketStatus): readonly string[] {
  return table([
    ['projection', 'version', 'generation', '', 'checkpoint', 'lag', 'parked', 'last error'],
    ...projections.map((p) => [
      p.projection,
      String(p.version),
      String(p.generation),
      p.aheadOfLog ? 'beyond the log' : p.role,
      place(p.checkpoint),
      `${p.lag.events >= LAG_COUNTED ? `${LAG_COUNTED}+` : p.lag.events} events ${Math.round(p.lag.seconds)} s`,
      String(p.parked.length),
      p.lastError === null ? '-' : `${p.lastError.time} ${p.lastError.message}`,
    ]),
  ]);
}

function linesOf(status: MarketStatus): readonly string[] {
  const { running, processes, demo, head, logId, reactions, queues, obligations, money, problems } =
    status;
  const owed = obligations.filter(({ open }) => open > 0);
  return [
    `The market is ${running ? paint.good('running') : 'stopped'}${demo ? ' (demo)' : ''}; head ${place(head)} of log ${logId}`,
    ...processes.map(
      ({ service, host, pid, since }) => `  ${service} on ${host}, process ${pid}, since ${since}`,
    ),
    '',
    ...table([
      ['port', 'engine', 'size'],
      ...status.engines.map(({ port, engine, bytes }) => [port, engine, megabytes(bytes)]),
    ]),
    '',
    ...projectionRows(status),
    `reactions stand at ${place(reactions.checkpoint)}`,
    '',
    ...table([
      ['queue', 'waiting', 'delayed', 'active', 'failed'],
      ...Object.entries(queues).map(([name, { waiting, delayed, active, failed }]) => [
        name,
        ...[waiting, delayed, active, failed].map(String),
      ]),
    ]),
    '',
    ...table([
      ['owed', 'open', 'overdue', 'oldest'],
      ...owed.map(({ kind, open, overdue, oldest }) => [
        kind,
        String(open),
        String(overdue),
        oldest ?? '-',
      ]),
    ]),
    ...(money === null
      ? []
      : [
          '',
          `ledger ${money.balanced ? 'balanced' : paint.bad('NOT balanced')}; payable ${formatNaira(money.payable)}, refunds due ${formatNaira(money.refundsDue)}, held aside ${formatNaira(money.heldAside)}`,
        ]),
    `last error: ${status.lastError === null ? 'none' : `${status.lastError.time} ${status.lastError.service}: ${status.lastError.message}`}`,
    '',
    ...(problems.length === 0 ? [paint.good('Nothing needs you.')] : problems.map(paint.warn)),
  ];
}

export async function status(options: Output & { readonly check?: boolean }): Promise<void> {
  await withContext(
    async (context) => {
      const now = await marketStatus(context);
      show(options, now, () => linesOf(now));
      if (options.check && now.problems.length > 0) process.exitCode = exitCodes.failed;
    },
    { moved: true },
  );
}
