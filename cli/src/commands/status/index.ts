import { formatNaira } from '@oja/domain';
import { pause, StoreUnavailable } from '@oja/platform';
import { LAG_COUNTED, type Lag } from '@oja/projector';
import { type AppContext, LOOKING, withContext } from '../../runtime/context.js';
import { refuseDamaged } from '../../runtime/open-data.js';
import { exitCodes, usageExit } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { type Outcome, toOutcome } from '../../terminal/outcome.js';
import {
  escapeControls,
  foldLine,
  formatMegabytes,
  formatTable,
  type Output,
  paint,
  plural,
  printAnswer,
  printFailure,
} from '../../terminal/output.js';
import { canDraw, withScreen } from '../../terminal/screen.js';
import { timeOfDay } from '../../terminal/times.js';
import { formatPosition } from '../events/format-event.js';
import {
  type FiguresWithoutLog,
  type MarketStatus,
  marketStatus,
  openNeeds,
  type StatusWithoutLog,
  statusWithoutLog,
  toMonitorStatus,
} from './figures.js';
import { isMongoAway, type StatusWithoutStores, statusWithoutStores } from './without-stores.js';

const place = (position: string | null) => (position === null ? '-' : formatPosition(position));

const eventsBehind = ({ events }: Lag): string =>
  events >= LAG_COUNTED ? `${LAG_COUNTED}+ events` : plural(events, 'event');

function projectionRows({ projections }: MarketStatus, width?: number): readonly string[] {
  const rows = projections.map((p) => [
    p.projection,
    `v${p.version} g${p.generation}`,
    p.aheadOfLog ? 'ahead of log' : p.role,
    place(p.checkpoint),
    `${eventsBehind(p.lag)} ${Math.round(p.lag.seconds)} s`,
    String(p.parked.length),
  ]);
  const errors = projections.flatMap(({ projection, lastError }) =>
    lastError === null ? [] : [`${projection}: ${lastError.time} ${lastError.message}`],
  );
  return [
    ...formatTable([['projection', '', '', 'checkpoint', 'lag', 'parked'], ...rows], width),
    ...errors.map(paint.warn),
  ];
}

const stateOf = ({ running, demo }: FiguresWithoutLog): string =>
  `The market is ${running ? paint.good('running') : 'stopped'}${demo ? ' (demo)' : ''}`;

const headLine = (status: MarketStatus): string =>
  `${stateOf(status)}; head ${place(status.head)} of log ${status.logId}`;

function needs(status: AnyStatus): readonly string[] {
  const all = openNeeds(status);
  return all.length === 0 ? [paint.good('Nothing needs you.')] : all.map(paint.warn);
}

const engineLines = (
  { engines }: Pick<FiguresWithoutLog, 'engines'>,
  width?: number,
): readonly string[] =>
  formatTable(
    [
      ['port', 'engine', 'size'],
      ...engines.map(({ port, engine, bytes }) => [
        port,
        engine,
        bytes === null ? '' : formatMegabytes(bytes),
      ]),
    ],
    width,
  );

const queueLines = (
  { queues }: Pick<FiguresWithoutLog, 'queues'>,
  width?: number,
): readonly string[] =>
  queues === null
    ? ['queues: unknown']
    : formatTable(
        [
          ['queue', 'waiting', 'delayed', 'active', 'failed'],
          ...Object.entries(queues).map(([name, { waiting, delayed, active, failed }]) => [
            name,
            ...[waiting, delayed, active, failed].map(String),
          ]),
        ],
        width,
      );

const lastErrorLine = ({ lastError }: Pick<FiguresWithoutLog, 'lastError'>): string =>
  `last error: ${lastError === null ? 'none' : `${lastError.time} ${lastError.service}: ${lastError.message}`}`;

/** The lines of all figures; `readModels` are the lines about the read models, which go in the middle. */
function linesAround(
  readModels: readonly string[],
  status: FiguresWithoutLog,
  width?: number,
): readonly string[] {
  const { processes, obligations, money } = status;
  const owed = obligations.filter(({ open }) => open > 0);
  return [
    ...processes.map(
      ({ service, host, pid, since }) => `  ${service} on ${host}, process ${pid}, since ${since}`,
    ),
    '',
    ...engineLines(status, width),
    '',
    ...readModels,
    '',
    ...queueLines(status, width),
    '',
    ...formatTable(
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
    lastErrorLine(status),
  ];
}

/** The status, read with or without the log. */
type AnyStatus = MarketStatus | StatusWithoutLog;

const introLine = (status: AnyStatus): string =>
  'shown' in status
    ? `${stateOf(status)}; its log does not answer. What is known without it:`
    : headLine(status);

const shownRows = ({ shown }: StatusWithoutLog, width?: number): readonly string[] =>
  formatTable(
    [
      ['projection', 'version', 'checkpoint', 'event time'],
      ...shown.map(({ projection, version, checkpoint, checkpointTime }) => [
        projection,
        String(version),
        place(checkpoint),
        checkpointTime ?? '-',
      ]),
    ],
    width,
  );

/** The figures between the first line and the problems; tables fit `width` columns. */
const figureLines = (status: AnyStatus, width?: number): readonly string[] =>
  linesAround(
    'shown' in status
      ? shownRows(status, width)
      : [
          ...projectionRows(status, width),
          `reactions are at ${place(status.reactions.checkpoint)}`,
        ],
    status,
    width,
  );

const linesOf = (status: AnyStatus): readonly string[] => [
  introLine(status),
  ...figureLines(status),
  '',
  ...needs(status),
];

/**
 * The lines for a screen, whose end may be cut off: problems come first, and the lines that do not fit are counted
 * in the last line.
 */
function screenOf(status: AnyStatus, columns: number, rows: number): readonly string[] {
  const lines = [introLine(status), ...needs(status), ...figureLines(status, columns)].flatMap(
    (line) => foldLine(escapeControls(line), columns),
  );
  if (lines.length <= rows) return lines;
  const shown = rows - 1;
  return [
    ...lines.slice(0, shown),
    ...foldLine(`and ${lines.length - shown} more lines: oja status`, columns).slice(0, 1),
  ];
}

/** The status; when the log does not answer, what is known without it, and in `away` the reason. */
async function readStatus(
  context: AppContext,
  { watched = false } = {},
): Promise<{ readonly now: AnyStatus; readonly away: Outcome | null }> {
  try {
    return { now: await marketStatus(context), away: null };
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || isMongoAway(error)) throw error;
    const away = toOutcome(error, { watched });
    try {
      return { now: await statusWithoutLog(context, away.sentence), away };
    } catch (beside) {
      // Another engine is unavailable too: report the first failure.
      throw beside instanceof StoreUnavailable ? error : beside;
    }
  }
}

/** A failed look, above the figures of the last one that did not fail; null: there has been none. */
export const failureLines = (
  sentence: string,
  lastAt: Date | null,
  columns: number,
): readonly string[] => [
  ...foldLine(paint.bad(sentence), columns),
  '',
  ...(lastAt === null ? [] : foldLine(`As it was at ${timeOfDay(lastAt)}:`, columns)),
];

/** Repeats the status until the user leaves: in place on a terminal, otherwise each one below the one before. */
async function watch(context: AppContext, ms: number, json: boolean): Promise<void> {
  /** A failure is shown and does not end the watch: an engine that is unavailable may come back. */
  const look = async () => {
    try {
      const { now } = await readStatus(context, { watched: true });
      return { ok: true, now, at: new Date(context.clock.now()) } as const;
    } catch (error) {
      return { ok: false, ...toOutcome(error, { watched: true }) } as const;
    }
  };
  const untilLeft = async (
    left: AbortSignal,
    show: (seen: Awaited<ReturnType<typeof look>>) => void,
  ) => {
    while (!left.aborted) {
      show(await look());
      await pause(ms, left);
    }
  };
  if (json || !canDraw()) {
    await untilLeft(interruptSignal(), (seen) => {
      if (!seen.ok) printFailure(seen.sentence, seen.code, json);
      else printAnswer<'status'>({ json }, seen.now, () => [...linesOf(seen.now), '']);
    });
    return;
  }
  let last: { readonly now: AnyStatus; readonly at: Date } | null = null;
  await withScreen(({ left, draw }) =>
    untilLeft(left, (seen) => {
      if (seen.ok) last = seen;
      const known = last;
      draw((columns, rows) => {
        const above = seen.ok ? [] : failureLines(seen.sentence, known?.at ?? null, columns);
        return known === null
          ? above
          : [...above, ...screenOf(known.now, columns, rows - above.length)];
      });
    }),
  );
}

const linesWithoutStores = (status: StatusWithoutStores): readonly string[] => [
  `The market is ${status.running ? paint.good('running') : 'not running'} on this machine${status.demo ? ' (demo)' : ''}; MongoDB does not answer. What is known without it:`,
  ...status.services.map(({ service, pid }) => `  ${service}, process ${pid}`),
  '',
  ...engineLines(status),
  '',
  status.logId === null
    ? 'the log does not answer'
    : `head ${place(status.head)} of log ${status.logId}`,
  '',
  ...queueLines(status),
  '',
  lastErrorLine(status),
  '',
  ...status.problems.map(paint.warn),
];

export interface StatusOptions extends Output {
  readonly check?: boolean;
  readonly watch?: boolean;
  /** Seconds between two looks of --watch. */
  readonly interval?: number;
}

const INTERVAL_S = 2;

export async function status(options: StatusOptions): Promise<void> {
  const { check = false, interval = INTERVAL_S, json = false } = options;
  if (options.watch && check)
    throw usageExit(
      '--check runs once and answers by its exit code: use either --watch or --check.',
    );
  if (options.interval !== undefined && !options.watch)
    throw usageExit(
      '--interval is between two refreshes of --watch: add --watch, or leave it out.',
    );
  const look = async (context: AppContext) => {
    refuseDamaged(context.config);
    if (options.watch) return watch(context, interval * 1000, json);
    const { now: seen, away } = await readStatus(context);
    const now = check ? toMonitorStatus(seen) : seen;
    printAnswer<'status'>(options, now, () => linesOf(now));
    // People see the reason among the problems already.
    if (away !== null && json) printFailure(away.sentence, away.code, json);
    if (away !== null) process.exitCode = away.code;
    else if (check && now.problems.length > 0) process.exitCode = exitCodes.failed;
  };
  try {
    await withContext(look, { mayBeMoved: true, ...LOOKING });
  } catch (error) {
    if (!isMongoAway(error) || options.watch) throw error;
    const away = toOutcome(error);
    const known = await statusWithoutStores(away.sentence, LOOKING.lazyLogTimeoutMs);
    printAnswer<'status'>(options, known, () => linesWithoutStores(known));
    if (json) printFailure(away.sentence, away.code, json);
    process.exitCode = away.code;
  }
}
