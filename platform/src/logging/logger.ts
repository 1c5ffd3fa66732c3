import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import pino from 'pino';
import { currentCorrelation } from './correlation.js';
import { redact, redactText } from './redaction.js';

export const logLevels = ['debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

type Write = (fields: object, message: string) => void;

/** Lines carry the correlation id of the request or job they are written for, and no secrets. */
export interface Logger {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
  fatal: Write;
  /** A logger whose lines all carry these fields. */
  child(fields: object): Logger;
}

export interface OpenLogger extends Logger {
  /** Everything written so far is in the file when it resolves. */
  close(): Promise<void>;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Names the process in each line. */
  readonly service: string;
  /** Appended to, made when it is not there; without one the lines go to stdout. */
  readonly file?: string;
}

/** Every line goes through here, so nothing is written that was not redacted. */
function redacting(inner: pino.Logger): Logger {
  const writer =
    (level: Exclude<LogLevel, 'silent'>): Write =>
    (fields, message) => {
      if (inner.isLevelEnabled(level)) inner[level](redact(fields), redactText(message));
    };
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    fatal: writer('fatal'),
    child: (fields) => redacting(inner.child(redact(fields))),
  };
}

/** @throws when the file's folder cannot be made or written. */
export function createLogger(options: LoggerOptions): OpenLogger {
  if (options.file !== undefined) mkdirSync(dirname(options.file), { recursive: true });
  const destination = pino.destination({ dest: options.file ?? 1, sync: false });
  const inner = pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      serializers: { err: (plain) => plain },
      mixin: () => {
        const correlationId = currentCorrelation();
        return correlationId === undefined ? {} : { correlationId };
      },
    },
    destination,
  );
  return {
    ...redacting(inner),
    async close() {
      const closed = once(destination, 'close');
      destination.end();
      await closed;
    },
  };
}
