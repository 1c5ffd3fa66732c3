export const logLevels = ['debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];
export type WrittenLevel = Exclude<LogLevel, 'silent'>;

export type Write = (fields: object, message: string) => void;

/**
 * Lines carry the correlation id of the request or job they are written for, and no secrets. A warning or error whose
 * `err` is an engine's failure is written once an outage, and counted from then on.
 */
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
  /** From so many bytes on a file is put aside and a new one begun. Default 20,000,000. */
  readonly mostBytes?: number;
}
