import { orderNumber } from '@oja/domain/rules';
import { z } from 'zod';
import { type LineLevel, lineLevels } from '../../runtime/program.js';

const nested = z.looseObject({ message: z.string() });
/** A field that a line may have. Where it holds something else, the line is still one: earlier releases wrote such. */
const field = <T extends z.ZodType>(type: T) => type.optional().catch(undefined);

/** One line of a process's log; other fields pass through. */
export const logLine = z.looseObject({
  level: z.enum(lineLevels),
  /** ISO 8601 in UTC. */
  time: z.string(),
  service: z.string(),
  msg: z.string(),
  /** The number or the id of the order that the line is about. */
  order: field(z.string()),
  /** Who was signed in: `seller:<id>` or the id alone; or who typed a command: `operator:<name>`. */
  actor: field(z.string().nullable()),
  /** The correlation id of the request or job that wrote the line. */
  correlationId: field(z.string()),
  /** These four fields describe a request and its answer. */
  method: field(z.string()),
  route: field(z.string()),
  status: field(z.number()),
  ms: field(z.number()),
  reason: field(z.string()),
  /** The id of a job that failed. */
  job: field(z.string()),
  /** The generation key, when the line is about a read model. */
  model: field(z.string()),
  error: field(z.string()),
  err: field(nested.extend({ cause: field(nested) })),
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
export const formatLogMessage = ({ msg, method, route, status }: LogLine): string =>
  status === undefined || method === undefined ? msg : `${method} ${route} answered ${status}`;

/** Whether a level is at least as severe as `least`. */
export const isAtLeast = (level: LineLevel, least: LineLevel): boolean =>
  lineLevels.indexOf(level) >= lineLevels.indexOf(least);

/** Whether a line is about this order, by its id or its number. */
export const isAboutOrder = ({ order }: LogLine, transactionId: string): boolean =>
  order === transactionId || order === orderNumber(transactionId);

const actorId = (actor: string): string => actor.replace(/^seller:/, '');

/** Whether a line names this actor, with or without `seller:`: the security log names sellers by id alone. */
export const isByActor = ({ actor }: LogLine, wanted: string): boolean =>
  actorId(actor ?? '') === actorId(wanted);
