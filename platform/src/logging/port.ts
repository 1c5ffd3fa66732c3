export const logLevels = ['debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];
export type WrittenLevel = Exclude<LogLevel, 'silent'>;

export type Write = (fields: object, message: string) => void;

/**
 * Lines carry the correlation id of the current request or job, and no secrets. A warning or error whose
 * `err` is an engine's failure is written once per outage, and only counted from then on.
 */
export interface Logger {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
  fatal: Write;
  /** A logger that adds these fields to all its lines. */
  child(fields: object): Logger;
}

export interface OpenLogger extends Logger {
  /** Resolves when all lines are in the file, or cannot be written. */
  close(): Promise<void>;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Names the process in each line. */
  readonly service: string;
  /** The file to append to, created when missing. Without it, lines go to stdout. */
  readonly file?: string;
  /** The size in bytes at which a file is rotated. Default 20,000,000. */
  readonly mostBytes?: number;
}
