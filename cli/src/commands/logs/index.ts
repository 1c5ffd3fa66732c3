import { join, resolve } from 'node:path';
import { orderNumber } from '@oja/domain/rules';
import { files, pause, yieldToEventLoop } from '@oja/platform';
import { withContext } from '../../runtime/context.js';
import { planOrExit, refuseForbidden } from '../../runtime/open-data.js';
import type { LineLevel } from '../../runtime/program.js';
import { failedExit } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import {
  entryLines,
  jsonText,
  type Output,
  paint,
  printJson,
  printLine,
  sayNote,
} from '../../terminal/output.js';
import { localTime, parseMoment } from '../../terminal/times.js';
import { logNames, openLog, type ProcessLog } from '../shared/log-files.js';
import {
  formatLogMessage,
  isAboutOrder,
  isAtLeast,
  isByActor,
  type LogLine,
  logLineIn,
} from '../shared/log-line.js';
import { orderNamed } from '../shared/orders.js';
import { sellerNamed } from '../shared/sellers.js';

/** Fields that are printed in a place of their own, or left out. */
const KNOWN_FIELDS = new Set(
  'level time service msg order actor correlationId method route status ms reason error err pid hostname'.split(
    ' ',
  ),
);
/** For a line of the security log also those that its message contains. */
const KNOWN_SECURITY_FIELDS = new Set([...KNOWN_FIELDS, 'log', 'event', 'outcome']);

const isPresent = (value: unknown) => value !== undefined && value !== null && value !== '';

function formatOtherFields(line: LogLine): readonly string[] {
  const known = line.log === 'security' ? KNOWN_SECURITY_FIELDS : KNOWN_FIELDS;
  return Object.entries(line)
    .filter(([name, value]) => !known.has(name) && isPresent(value))
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : jsonText(value)}`);
}

/** The reasons in a line: messages of its error and of the error's cause. The stack is in the JSON only. */
const reasonsIn = ({ reason, error, err }: LogLine): readonly string[] =>
  [reason, error, err?.message, err?.cause?.message].filter((part) => part !== undefined);

const LEVEL_WIDTH = 5;
const colours = { error: paint.bad, fatal: paint.bad, warn: paint.warn, debug: paint.dim } as const;

function coloured(text: string, level: LogLine['level']): string {
  if (level === 'info') return text;
  return text.replace(` ${level}`, (word) => colours[level](word));
}

/** A log line for people: time, level and message, then what it is about, folded to the terminal's width. */
export function linesOf(line: LogLine, width?: number | null): readonly string[] {
  const { time, level, service, ms, order, actor, correlationId } = line;
  const begins = `${localTime(time)} ${level.padEnd(LEVEL_WIDTH)}`;
  const what = [formatLogMessage(line), ...reasonsIn(line)].join(': ');
  const about = [
    ...(order === undefined ? [] : [`order ${order.includes('-') ? orderNumber(order) : order}`]),
    ...(isPresent(actor) ? [`by ${actor}`] : []),
    ...(service === 'market' ? [] : [service]),
    ...formatOtherFields(line),
    ...(correlationId === undefined ? [] : [`request ${correlationId}`]),
  ];
  const took = ms === undefined ? '' : ` in ${ms} ms`;
  const [first = '', ...rest] = entryLines({ begins, says: what + took, about }, width);
  return [coloured(first, level), ...rest];
}

/** A line that we did not write whole: cut off by a kill, or written by other programs. */
export const linesOfTorn = (text: string, width?: number | null): readonly string[] =>
  entryLines({ begins: '(torn)', says: text, about: [] }, width);

export interface LogsOptions extends Output {
  readonly follow?: boolean;
  readonly since?: string;
  readonly level?: LineLevel;
  readonly order?: string;
  readonly actor?: string;
  readonly request?: string;
  /** How many of the last lines; Infinity: all. */
  readonly lines?: number;
}

/** One line of a log file. `line`: null for a line that we did not write, which is shown in its place all the same. */
interface Entry {
  readonly text: string;
  readonly line: LogLine | null;
  /** ISO 8601; a line without a time has that of its neighbour. */
  readonly time: string;
}

function* entriesOf(texts: Iterable<string>, unknown: string): Generator<Entry> {
  let time = unknown;
  for (const text of texts) {
    const line = logLineIn(text);
    time = line?.time ?? time;
    yield { text, line, time };
  }
}

/** A reading direction. `unknown`: the time given to lines that come before any line with a time. */
interface ReadingOrder {
  isNext(one: Entry, other: Entry): boolean;
  readonly unknown: string;
}
const forwards: ReadingOrder = { isNext: (one, other) => one.time < other.time, unknown: '' };
const backwards: ReadingOrder = { isNext: (one, other) => one.time > other.time, unknown: '~' };

/** Merges the lines of several logs by time. */
function* merged(
  logs: readonly Iterable<string>[],
  { isNext, unknown }: ReadingOrder,
): Generator<Entry> {
  const sources = logs.map((texts) => entriesOf(texts, unknown));
  const heads = sources.map((source) => source.next().value ?? null);
  for (;;) {
    let first = -1;
    heads.forEach((head, i) => {
      const best = heads[first] ?? null;
      if (head !== null && (best === null || isNext(head, best))) first = i;
    });
    const entry = heads[first];
    if (!entry) return;
    yield entry;
    heads[first] = sources[first]?.next().value ?? null;
  }
}

/** Which lines to print. A line that we did not write passes any level, but is never about an order or an actor. */
interface Wanted {
  /** ISO 8601; null: from the beginning. */
  readonly since: string | null;
  readonly level: LineLevel;
  /** An order's id. */
  readonly order: string | null;
  /** A seller's id, or another actor as log lines name it. */
  readonly actor: string | null;
  readonly request: string | null;
}

function isWanted({ line, text, time }: Entry, wanted: Wanted): boolean {
  const { since, level, order, actor, request } = wanted;
  if (since !== null && time < since) return false;
  if (line === null)
    return order === null && actor === null && (request === null || text.includes(request));
  if (!isAtLeast(line.level, level)) return false;
  if (order !== null && !isAboutOrder(line, order)) return false;
  if (actor !== null && !isByActor(line, actor)) return false;
  return request === null || line.correlationId === request;
}

/** Lines that are read before the event loop gets a turn, so that a closed pipe or Ctrl-C is noticed. */
const PAUSE_EVERY = 500;
/** Milliseconds between two checks for new lines. */
const POLL_MS = 200;
const USUAL_LINES = 50;

async function* withPauses(entries: Iterable<Entry>): AsyncGenerator<Entry> {
  let read = 0;
  for (const entry of entries) {
    read += 1;
    if (read % PAUSE_EVERY === 0) await yieldToEventLoop();
    yield entry;
  }
}

function sayEntry({ line, text }: Entry, { json }: Output): void {
  if (json) printJson<'logs'>(line ?? { torn: text });
  else for (const each of line === null ? linesOfTorn(text) : linesOf(line)) printLine(each);
}

/** The last `most` wanted lines, the oldest first. Reads backwards from the end, and only as far as needed. */
async function lastOf(logs: readonly ProcessLog[], wanted: Wanted, most: number) {
  const found: Entry[] = [];
  const back = merged(
    logs.map((log) => log.linesBack()),
    backwards,
  );
  for await (const entry of withPauses(back)) {
    if (found.length >= most) break;
    if (wanted.since !== null && entry.line !== null && entry.time < wanted.since) break;
    if (isWanted(entry, wanted)) found.push(entry);
  }
  return found.reverse();
}

/** Returns how many lines were wanted. */
async function sayPast(
  logs: readonly ProcessLog[],
  wanted: Wanted,
  options: LogsOptions,
): Promise<number> {
  const { since, order, actor, request } = wanted;
  const isNarrowed = [since, order, actor, request].some((sought) => sought !== null);
  const most = options.lines ?? (isNarrowed ? Number.POSITIVE_INFINITY : USUAL_LINES);
  if (Number.isFinite(most)) {
    const last = await lastOf(logs, wanted, most);
    for (const entry of last) sayEntry(entry, options);
    return last.length;
  }
  const all = merged(
    logs.map((log) => log.lines()),
    forwards,
  );
  let shown = 0;
  for await (const entry of withPauses(all)) {
    if (!isWanted(entry, wanted)) continue;
    sayEntry(entry, options);
    shown += 1;
  }
  return shown;
}

async function follow(
  folder: string,
  logs: readonly ProcessLog[],
  wanted: Wanted,
  options: LogsOptions,
  signal: AbortSignal,
) {
  const followed = [...logs];
  while (!signal.aborted) {
    for (const name of logNames(folder))
      if (!followed.some((log) => log.name === name))
        followed.push(openLog(folder, name, { fresh: true }));
    const news = merged(
      followed.map((log) => log.linesSince()),
      forwards,
    );
    for await (const entry of withPauses(news))
      if (isWanted(entry, wanted)) sayEntry(entry, options);
    await pause(POLL_MS, signal);
  }
}

const LOGGED_ELSEWHERE =
  "services that run separately write to standard output instead: docker compose logs, or journalctl -u 'oja@*'";

/** The log of the commands typed on this machine; it says nothing about the market itself. */
const CLI_LOG = 'cli.log';

/** An actor as log lines name it; any other text is a store's name. */
const ACTOR = /^(?:(?:seller|operator):.*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** The ids of the order and the actor that the options name. @throws Exit 2 when there is no such order or seller. */
async function resolveFilters({
  order,
  actor,
}: LogsOptions): Promise<Pick<Wanted, 'order' | 'actor'>> {
  const isWhole = actor === undefined || ACTOR.test(actor);
  if (order === undefined && isWhole) return { order: null, actor: actor ?? null };
  return withContext(
    async (context) => ({
      order: order === undefined ? null : (await orderNamed(context, order)).transactionId,
      actor: isWhole ? (actor ?? null) : (await sellerNamed(context, actor)).sellerId,
    }),
    { mayBeMoved: true },
  );
}

/** Prints the market's log, and with `follow` new lines until Ctrl-C. @throws Exit 1 when there is no log. */
export async function logs(options: LogsOptions): Promise<void> {
  const { since, level = 'debug', request = null } = options;
  const folder = join(resolve(planOrExit(process.env, true).dataDir), files.logs);
  const from = since === undefined ? null : new Date(parseMoment(since)).toISOString();
  refuseForbidden(folder);
  const names = logNames(folder);
  if (names.length === 0)
    throw failedExit(
      `There is no log in ${folder}. A market that runs in one process (oja start) writes market.log there; ${LOGGED_ELSEWHERE}.`,
    );
  if (names.every((name) => name === CLI_LOG) && !options.json)
    sayNote(`${folder} has only the log of commands typed on this machine; ${LOGGED_ELSEWHERE}.`);
  const wanted = { since: from, level, request, ...(await resolveFilters(options)) };
  const signal = options.follow ? interruptSignal() : null;
  const opened = names.map((name) => openLog(folder, name, { followed: signal !== null }));
  for (const { name, isForbidden } of opened)
    if (isForbidden)
      sayNote(`You may not read ${join(folder, name)}, so its lines are missing here.`);
  const shown = await sayPast(opened, wanted, options);
  // Somebody who waits at a terminal should not wonder whether anything was looked at.
  if (shown === 0 && signal === null && !options.json && process.stdout.isTTY === true)
    sayNote('No line of the log is what was asked for.');
  if (signal !== null) await follow(folder, opened, { ...wanted, since: null }, options, signal);
  for (const log of opened) log.close();
}
