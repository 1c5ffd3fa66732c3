import { orderNumber } from '@oja/domain/rules';
import { entryLines, jsonText, paint } from '../../terminal/output.js';
import { localTime } from '../../terminal/times.js';
import { type LogLine, whatOf } from '../shared/log-line.js';

/** Fields that are printed in a place of their own, or left out. */
const elsewhere =
  'level time service msg order actor correlationId method route status ms reason error err pid hostname';
const ELSEWHERE = new Set(elsewhere.split(' '));
/** For a line of the security log also those that its message contains. */
const ELSEWHERE_OF_SECURITY = new Set([...ELSEWHERE, 'log', 'event', 'outcome']);

const isThere = (value: unknown) => value !== undefined && value !== null && value !== '';

function othersOf(line: LogLine): readonly string[] {
  const known = line.log === 'security' ? ELSEWHERE_OF_SECURITY : ELSEWHERE;
  return Object.entries(line)
    .filter(([name, value]) => !known.has(name) && isThere(value))
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : jsonText(value)}`);
}

/** The reasons in a line: messages of its error and of the error's cause. The stack is in the JSON only. */
const whyOf = ({ reason, error, err }: LogLine): readonly string[] =>
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
  const what = [whatOf(line), ...whyOf(line)].join(': ');
  const about = [
    ...(order === undefined ? [] : [`order ${order.includes('-') ? orderNumber(order) : order}`]),
    ...(isThere(actor) ? [`by ${actor}`] : []),
    ...(service === 'market' ? [] : [service]),
    ...othersOf(line),
    ...(correlationId === undefined ? [] : [`request ${correlationId}`]),
  ];
  const took = ms === undefined ? '' : ` in ${ms} ms`;
  const [first = '', ...rest] = entryLines({ begins, says: what + took, about }, width);
  return [coloured(first, level), ...rest];
}

/** A line that we did not write whole: cut off by a kill, or written by other programs. */
export const linesOfTorn = (text: string, width?: number | null): readonly string[] =>
  entryLines({ begins: '(torn)', says: text, about: [] }, width);
