import { orderNumber } from '@oja/domain/rules';
import { entryLines, jsonText, paint } from '../../terminal/output.js';
import { localTime } from '../../terminal/times.js';
import { type LogLine, whatOf } from '../shared/log-line.js';

/** What is told by itself, or in other words. */
const told =
  'level time service msg order actor correlationId method route status ms reason error err pid hostname';
const TOLD = new Set(told.split(' '));
/** Of a line of the security log: its message has them. */
const TOLD_OF_SECURITY = new Set([...TOLD, 'log', 'event', 'outcome']);

const isThere = (value: unknown) => value !== undefined && value !== null && value !== '';

function othersOf(line: LogLine): readonly string[] {
  const known = line.log === 'security' ? TOLD_OF_SECURITY : TOLD;
  return Object.entries(line)
    .filter(([name, value]) => !known.has(name) && isThere(value))
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : jsonText(value)}`);
}

/** Why it was so: of an error what it says, and what was behind it. Its stack is in the JSON. */
const whyOf = ({ reason, error, err }: LogLine): readonly string[] =>
  [reason, error, err?.message, err?.cause?.message].filter((part) => part !== undefined);

const LEVEL_WIDTH = 5;
const colours = { error: paint.bad, fatal: paint.bad, warn: paint.warn, debug: paint.dim } as const;

function coloured(text: string, level: LogLine['level']): string {
  if (level === 'info') return text;
  return text.replace(` ${level}`, (word) => colours[level](word));
}

/** For people: when, how grave, what, and below it whom and what it is about, as wide as the terminal is. */
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

/** What is no line of ours: a piece that a kill has cut, or what others wrote there. */
export const linesOfTorn = (text: string, width?: number | null): readonly string[] =>
  entryLines({ begins: '(torn)', says: text, about: [] }, width);
