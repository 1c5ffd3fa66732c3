import { orderNumber } from '@oja/domain/rules';
import { z } from 'zod';
import { type LineLevel, lineLevels } from '../../runtime/program.js';

const nested = z.looseObject({ message: z.string() });

/** One line of a process's log; other fields pass through. */
export const logLine = z.looseObject({
  level: z.enum(lineLevels),
  /** ISO 8601 in UTC. */
  time: z.string(),
  service: z.string(),
  msg: z.string(),
  /** The number or the id of the order that the line is about. */
  order: z.string().optional(),
  /** Who was signed in: `seller:<id>` or the id alone; or who typed a command: `operator:<name>`. */
  actor: z.string().nullish(),
  /** The correlation id of the request or job that wrote the line. */
  correlationId: z.string().optional(),
  /** These four fields describe a request and its answer. */
  method: z.string().optional(),
  route: z.string().optional(),
  status: z.number().optional(),
  ms: z.number().optional(),
  reason: z.string().optional(),
  /** The id of a job that failed. */
  job: z.string().optional(),
  /** The generation key, when the line is about a read model. */
  model: z.string().optional(),
  error: z.string().optional(),
  err: nested.extend({ cause: nested.optional().catch(undefined) }).optional(),
});

export type LogLine = z.infer<typeof logLine>;

/** Parses a line of a log; null when a kill cut it off or another program wrote it. */
export function logLineIn(text: string): LogLine | null {
  try {
    return logLine.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** The message of a line; for a request, what it asked for and the status. */
export const whatOf = ({ msg, method, route, status }: LogLine): string =>
  status === undefined || method === undefined ? msg : `${method} ${route} answered ${status}`;

/** Whether a level is at least as severe as `least`. */
export const isAtLeast = (level: LineLevel, least: LineLevel): boolean =>
  lineLevels.indexOf(level) >= lineLevels.indexOf(least);

/** Whether a line is about this order, by its id or its number. */
export const isAboutOrder = ({ order }: LogLine, transactionId: string): boolean =>
  order === transactionId || order === orderNumber(transactionId);

const idOf = (actor: string): string => actor.replace(/^seller:/, '');

/** Whether a line names this actor, with or without `seller:`: the security log names sellers by id alone. */
export const isBy = ({ actor }: LogLine, wanted: string): boolean =>
  idOf(actor ?? '') === idOf(wanted);
