import { orderNumber } from '@oja/domain/rules';
import { z } from 'zod';
import { type LineLevel, lineLevels } from '../../runtime/program.js';

const nested = z.looseObject({ message: z.string() });

/** One line that a process of the market has logged, with whatever else it says. */
export const logLine = z.looseObject({
  level: z.enum(lineLevels),
  /** ISO 8601 in UTC. */
  time: z.string(),
  service: z.string(),
  msg: z.string(),
  /** The number of the order that it is about, or its id. */
  order: z.string().optional(),
  /** Who was signed in: `seller:<id>`, or the id alone; `operator:<name>` of who typed a command. */
  actor: z.string().nullish(),
  /** Of the request or job that it was written for. */
  correlationId: z.string().optional(),
  /** Of a request: what was asked for and answered. */
  method: z.string().optional(),
  route: z.string().optional(),
  status: z.number().optional(),
  ms: z.number().optional(),
  reason: z.string().optional(),
  /** Its id, where a job has failed. */
  job: z.string().optional(),
  /** The generation key, where it is about a read model. */
  model: z.string().optional(),
  error: z.string().optional(),
  err: nested.extend({ cause: nested.optional().catch(undefined) }).optional(),
});

export type LogLine = z.infer<typeof logLine>;

/** The line that stands in the text; null for what a kill has cut, or what others wrote. */
export function logLineIn(text: string): LogLine | null {
  try {
    return logLine.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** What a line is about, in words. */
export const whatOf = ({ msg, method, route, status }: LogLine): string =>
  status === undefined || method === undefined ? msg : `${method} ${route} answered ${status}`;

/** Whether a line is at least so grave. */
export const isAtLeast = (level: LineLevel, least: LineLevel): boolean =>
  lineLevels.indexOf(level) >= lineLevels.indexOf(least);

/** Whether a line is about the order of this id, by whatever it goes by. */
export const isAboutOrder = ({ order }: LogLine, transactionId: string): boolean =>
  order === transactionId || order === orderNumber(transactionId);

const idOf = (actor: string): string => actor.replace(/^seller:/, '');

/** Whether a line names this actor: of sellers the security log has only the id. */
export const isBy = ({ actor }: LogLine, wanted: string): boolean =>
  idOf(actor ?? '') === idOf(wanted);
