import { setTimeout as wait } from 'node:timers/promises';
import { pause } from '@oja/platform';
import { LAG_COUNTED } from '@oja/projector';
import { LOOKING, withContext } from '../../runtime/context.js';
import { toOutcome } from '../../terminal/outcome.js';
import {
  formatDuration,
  formatMegabytes,
  type Output,
  paint,
  plural,
  printAnswer,
  wrapLines,
} from '../../terminal/output.js';
import { canDraw, withScreen } from '../../terminal/screen.js';
import { timeOfDay } from '../../terminal/times.js';
import { openNeeds } from '../status/figures.js';
import { createFrameReader, type Frame } from './frame.js';
import { type CallTimes, METRICS_PATIENCE_S } from './process-metrics.js';

const rate = (perSecond: number | null): string =>
  perSecond === null ? '-' : `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`;
const time = (ms: number): string =>
  ms < 10
    ? `${ms.toFixed(1)} ms`
    : ms < 10_000
      ? `${Math.round(ms)} ms`
      : `${Math.round(ms / 1000)} s`;

/** Puts cells side by side after a heading, as many on a line as fit; a cell wider than the screen is wrapped. */
function flow(heading: string, cells: readonly string[], columns: number): readonly string[] {
  const lines: string[] = [];
  let line = heading;
  for (const cell of cells) {
    const beside = `${line}  ${cell}`;
    if (beside.length <= columns) line = beside;
    else {
      const below = wrapLines(cell, '  ', columns);
      lines.push(line, ...below.slice(0, -1));
      line = below.at(-1) ?? '';
    }
  }
  return [...lines, line];
}

function processLines({ processes }: Frame): readonly string[] {
  const isOneHost = new Set(processes.map(({ host }) => host)).size === 1;
  return processes.map(({ service, host, pid, answers, memoryBytes, cpu, eventLoopP99Ms }) => {
    const figures = [
      ...(memoryBytes === null ? [] : [formatMegabytes(memoryBytes)]),
      ...(cpu === null ? [] : [`cpu ${Math.round(cpu * 100)} %`]),
      ...(eventLoopP99Ms === null ? [] : [`loop p99 ${time(eventLoopP99Ms)}`]),
    ];
    const now = answers
      ? figures.join(', ')
      : `its /metrics gave no answer within ${METRICS_PATIENCE_S} s`;
    return `${service} ${pid}${isOneHost ? '' : ` on ${host}`}: ${now}`;
  });
}

const lagCell = ({ projection, events, seconds, parked }: Frame['readModels'][number]): string =>
  `${projection} ${events >= LAG_COUNTED ? `${LAG_COUNTED}+` : events}${seconds >= 1 ? ` (${formatDuration(seconds)})` : ''}${parked > 0 ? `, ${parked} parked` : ''}`;

function queueCells({ queues }: Frame): readonly string[] {
  if (queues === null) return ['unknown'];
  const busy = Object.entries(queues).flatMap(([name, { waiting, delayed, active, failed }]) => {
    const counts = [
      [waiting, 'waiting'],
      [active, 'running'],
      [delayed, 'later'],
      [failed, 'failed'],
    ] as const;
    const words = counts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : []));
    return words.length > 0 ? [`${name} ${words.join(', ')}`] : [];
  });
  return busy.length > 0 ? busy : ['none'];
}

const FIGURE = 8;

/** A call with its figures at the right edge; a name that is too long is cut, the figures never. */
function callLine(call: string, figures: readonly string[], columns: number): string {
  const right = figures.map((figure) => figure.padStart(FIGURE)).join('');
  return call.slice(0, Math.max(0, columns - right.length)).padEnd(columns - right.length) + right;
}

const callFigures = ({ count, p50Ms, p99Ms }: CallTimes): readonly string[] => [
  String(count),
  time(p50Ms),
  time(p99Ms),
];

/** As many lines as fit, and then how many more there are. */
function needLines(
  needs: readonly string[],
  room: number,
  fit: (text: string) => readonly string[],
): readonly string[] {
  if (needs.length === 0) return [paint.good('Nothing needs you.')];
  const lines: string[] = [];
  for (const [i, need] of needs.entries()) {
    const more = fit(need).map(paint.warn);
    const left = needs.length - i;
    if (lines.length + more.length + (left > 1 ? 1 : 0) > room)
      return [...lines, ...fit(`and ${left} more: oja status`).map(paint.warn)];
    lines.push(...more);
  }
  return lines;
}

const UNHEARD =
  'No process has sent a heartbeat lately: the store of heartbeats may take no writes, or the clocks of the machines differ.';

/** Lines reserved for the calls and their heading when the problems do not all fit. */
const LEAST_CALL_LINES = 5;
/** Lines that the problems get in any case. */
const LEAST_NEED_LINES = 3;

/**
 * A frame for a terminal of this size. What needs a person comes before the calls, and the lines that do not fit
 * are counted. On a screen that is too small for both, it comes before the figures, of which the last are left out.
 */
export function linesOf(frame: Frame, columns: number, rows: number): readonly string[] {
  const { running, demo, readModels, calls, callsSeconds } = frame;
  const fit = (text: string) => wrapLines(text, '', columns);
  const clock = timeOfDay(new Date(frame.time));
  const state = [
    ...fit(`The market is ${running ? 'running' : 'stopped'}${demo ? ' (demo)' : ''} at ${clock}`),
    ...processLines(frame).flatMap(fit),
    ...(running && frame.processes.length === 0 ? fit(UNHEARD) : []),
    '',
  ];
  const figures = [
    ...fit(
      `requests ${rate(frame.requestsPerSecond)}, failed ${rate(frame.failedPerSecond)}, events ${rate(frame.eventsPerSecond)}; in a minute ${plural(frame.ordersPlaced, 'order')}, ${frame.ordersPaid} paid`,
    ),
    ...flow('events behind', readModels.map(lagCell), columns),
    ...flow('jobs', queueCells(frame), columns),
    '',
  ];
  const head = [...state, ...figures];
  const callLines = calls.length === 0 ? 0 : Math.min(LEAST_CALL_LINES, calls.length + 2);
  const all = openNeeds({ ...frame, payableShares: frame.payable });
  const free = rows - head.length;
  const least = Math.max(LEAST_NEED_LINES, fit(all[0] ?? '').length + 1);
  if (free < least) return [...state, ...needLines(all, least, fit), '', ...figures].slice(0, rows);
  const needs = needLines(all, Math.max(least, free - callLines), fit);
  const room = rows - head.length - needs.length - 2;
  if (calls.length === 0 || room <= 0) return [...head, ...needs];
  const since = callsSeconds === null ? 'so far' : `in ${formatDuration(callsSeconds)}`;
  return [
    ...head,
    ...needs,
    '',
    paint.dim(callLine(`calls ${since}`, ['count', 'p50', 'p99'], columns)),
    ...calls.slice(0, room).map((each) => callLine(each.call, callFigures(each), columns)),
  ];
}

export interface TopOptions extends Output {
  readonly once?: boolean;
  /** Seconds between two looks. */
  readonly interval: number;
}

const USUAL_COLUMNS = 80;
/** When printed once, as many calls are listed as fit a usual screen. */
const USUAL_ROWS = 24;

/** Shows live figures on a terminal until the user leaves; prints one frame elsewhere, and for programs. */
export async function top({ once, interval, json }: TopOptions): Promise<void> {
  await withContext(
    async (context) => {
      const ms = interval * 1000;
      if (once || json || !canDraw()) {
        const readFrame = createFrameReader(context, { wholeTimes: true });
        // Rates need two looks.
        await readFrame();
        await wait(ms);
        const frame = await readFrame();
        printAnswer<'top'>({ json: json === true }, frame, () =>
          linesOf(frame, process.stdout.columns || USUAL_COLUMNS, USUAL_ROWS),
        );
        return;
      }
      const readFrame = createFrameReader(context);
      await withScreen(async ({ left, draw }) => {
        let last: Frame | null = null;
        while (!left.aborted) {
          try {
            const frame = await readFrame();
            last = frame;
            draw((columns, rows) => linesOf(frame, columns, rows));
          } catch (error) {
            // An engine that is unavailable may come back.
            const { sentence } = toOutcome(error, { watched: true });
            const known = last;
            draw((columns, rows) => [
              ...wrapLines(sentence, '', columns).map(paint.bad),
              '',
              ...(known === null ? [] : linesOf(known, columns, rows - 2)),
            ]);
          }
          await pause(ms, left);
        }
      });
    },
    { mayBeMoved: true, ...LOOKING },
  );
}
