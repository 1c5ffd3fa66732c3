import { setTimeout as wait } from 'node:timers/promises';
import { formatNaira } from '@oja/domain';
import { StoreUnavailable } from '@oja/platform';
import { LAG_COUNTED } from '@oja/projector';
import { type AppContext, withContext } from '../../runtime/context.js';
import { Exit, exitCodes } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { outcomeOf } from '../../terminal/outcome.js';
import {
  folded,
  type Output,
  paint,
  plainLine,
  sayFailed,
  show,
  table,
} from '../../terminal/output.js';
import { canDraw, withScreen } from '../../terminal/screen.js';
import {
  type FiguresBeside,
  type MarketStatus,
  marketStatus,
  type StatusWithoutLog,
  statusWithoutLog,
} from './figures.js';

const megabytes = (bytes: number | null) =>
  bytes === null ? '' : `${(bytes / 1_000_000).toFixed(1)} MB`;
const place = (position: string | null) => position?.replace(/^0+(?=\d)/, '') ?? '-';

function projectionRows({ projections }: MarketStatus, width?: number): readonly string[] {
  const rows = projections.map((p) => [
    p.projection,
    String(p.version),
    String(p.generation),
    p.aheadOfLog ? 'beyond the log' : p.role,
    place(p.checkpoint),
    `${p.lag.events >= LAG_COUNTED ? `${LAG_COUNTED}+` : p.lag.events} events ${Math.round(p.lag.seconds)} s`,
    String(p.parked.length),
    p.lastError === null ? '-' : `${p.lastError.time} ${p.lastError.message}`,
  ]);
  return table(
    [
      ['projection', 'version', 'generation', '', 'checkpoint', 'lag', 'parked', 'last error'],
      ...rows,
    ],
    width,
  );
}

const stateOf = ({ running, demo }: FiguresBeside): string =>
  `The market is ${running ? paint.good('running') : 'stopped'}${demo ? ' (demo)' : ''}`;

const headLine = (status: MarketStatus): string =>
  `${stateOf(status)}; head ${place(status.head)} of log ${status.logId}`;

const needs = ({ problems }: { readonly problems: readonly string[] }): readonly string[] =>
  problems.length === 0 ? [paint.good('Nothing needs you.')] : problems.map(paint.warn);

/** What it knows besides how it begins and whom it needs; tables for so many columns. */
const figureLines = (status: MarketStatus, width?: number): readonly string[] =>
  linesAround(
    [...projectionRows(status, width), `reactions stand at ${place(status.reactions.checkpoint)}`],
    status,
    width,
  );

/** The figures, with what is told of read models where they belong. */
function linesAround(
  readModels: readonly string[],
  status: FiguresBeside,
  width?: number,
): readonly string[] {
  const { processes, queues, obligations, money } = status;
  const owed = obligations.filter(({ open }) => open > 0);
  return [
    ...processes.map(
      ({ service, host, pid, since }) => `  ${service} on ${host}, process ${pid}, since ${since}`,
    ),
    '',
    ...table(
      [
        ['port', 'engine', 'size'],
        ...status.engines.map(({ port, engine, bytes }) => [port, engine, megabytes(bytes)]),
      ],
      width,
    ),
    '',
    ...readModels,
    '',
    ...table(
      [
        ['queue', 'waiting', 'delayed', 'active', 'failed'],
        ...Object.entries(queues).map(([name, { waiting, delayed, active, failed }]) => [
          name,
          ...[waiting, delayed, active, failed].map(String),
        ]),
      ],
      width,
    ),
    '',
    ...table(
      [
        ['owed', 'open', 'overdue', 'oldest'],
        ...owed.map(({ kind, open, overdue, oldest }) => [
          kind,
          String(open),
          String(overdue),
          oldest ?? '-',
        ]),
      ],
      width,
    ),
    ...(money === null
      ? []
      : [
          '',
          `ledger ${money.balanced ? 'balanced' : paint.bad('NOT balanced')}; payable ${formatNaira(money.payable)}, refunds due ${formatNaira(money.refundsDue)}, held aside ${formatNaira(money.heldAside)}`,
        ]),
    `last error: ${status.lastError === null ? 'none' : `${status.lastError.time} ${status.lastError.service}: ${status.lastError.message}`}`,
  ];
}

const linesOf = (status: MarketStatus): readonly string[] => [
  headLine(status),
  ...figureLines(status),
  '',
  ...needs(status),
];

const linesWithoutLog = (status: StatusWithoutLog): readonly string[] => [
  `${stateOf(status)}; its log cannot be asked. What is known without it:`,
  ...linesAround(
    table([
      ['projection', 'version', 'checkpoint', 'of an event of'],
      ...status.shown.map(({ projection, version, checkpoint, checkpointTime }) => [
        projection,
        String(version),
        place(checkpoint),
        checkpointTime ?? '-',
      ]),
    ]),
    status,
  ),
  '',
  ...needs(status),
];

/**
 * The same on a screen, where the end may not be seen: what needs somebody comes first, and what there is no room
 * for is counted.
 */
export function screenOf(status: MarketStatus, columns: number, rows: number): readonly string[] {
  const lines = [headLine(status), ...needs(status), ...figureLines(status, columns)].flatMap(
    (line) => folded(plainLine(line), columns),
  );
  if (lines.length <= rows) return lines;
  const shown = rows - 1;
  return [
    ...lines.slice(0, shown),
    ...folded(`and ${lines.length - shown} more lines: oja status`, columns).slice(0, 1),
  ];
}

/** Looks again and again until somebody leaves: in place on a terminal, else each look below the one before. */
async function watch(context: AppContext, ms: number, json: boolean): Promise<void> {
  /** An engine that is away may come back. */
  const look = async () => {
    try {
      return { ok: true, now: await marketStatus(context) } as const;
    } catch (error) {
      return { ok: false, ...outcomeOf(error) } as const;
    }
  };
  const untilLeft = async (
    left: AbortSignal,
    told: (seen: Awaited<ReturnType<typeof look>>) => void,
  ) => {
    while (!left.aborted) {
      told(await look());
      await wait(ms, undefined, { signal: left }).catch(() => undefined);
    }
  };
  if (json || !canDraw()) {
    await untilLeft(interruptSignal(), (seen) => {
      if (!seen.ok) sayFailed(seen.sentence, seen.code, json);
      else show<'status'>({ json }, seen.now, () => [...linesOf(seen.now), '']);
    });
    return;
  }
  let last: MarketStatus | null = null;
  await withScreen(({ left, draw }) =>
    untilLeft(left, (seen) => {
      if (seen.ok) last = seen.now;
      const known = last;
      draw((columns, rows) => {
        const failed = seen.ok ? [] : [...folded(paint.bad(seen.sentence), columns), ''];
        return [
          ...failed,
          ...(known === null ? [] : screenOf(known, columns, rows - failed.length)),
        ];
      });
    }),
  );
}

/** Tells what is known beside the log that did not answer; nothing where another engine is away as well. */
async function lookWithoutLog(withoutLog: StoreUnavailable, options: Output): Promise<void> {
  const look = async (context: AppContext) => {
    const now = await statusWithoutLog(context, outcomeOf(withoutLog).sentence);
    show<'status'>(options, now, () => linesWithoutLog(now));
  };
  await withContext(look, { moved: true, withoutLog }).catch((error: unknown) => {
    if (!(error instanceof StoreUnavailable)) throw error;
  });
}

/** Who looks wants to know it now; a start may wait longer for a server that starts as well. */
const LOG_PATIENCE_MS = 10_000;

export interface StatusOptions extends Output {
  readonly check?: boolean;
  readonly watch?: boolean;
  /** Seconds from one look to the next. */
  readonly interval: number;
}

export async function status(options: StatusOptions): Promise<void> {
  const { check = false, interval, json = false } = options;
  if (options.watch && check)
    throw new Exit(
      exitCodes.usage,
      '--check looks once and says it by its exit code: leave out --watch, or --check.',
    );
  const look = async (context: AppContext) => {
    if (options.watch) return watch(context, interval * 1000, json);
    const now = await marketStatus(context);
    show<'status'>(options, now, () => linesOf(now));
    if (check && now.problems.length > 0) process.exitCode = exitCodes.failed;
  };
  try {
    await withContext(look, { moved: true, logPatienceMs: LOG_PATIENCE_MS });
  } catch (error) {
    if (error instanceof StoreUnavailable && !options.watch) await lookWithoutLog(error, options);
    throw error;
  }
}
