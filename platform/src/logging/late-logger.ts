import {
  type Logger,
  type LoggerOptions,
  logLevels,
  type OpenLogger,
  type WrittenLevel,
} from './port.js';

/**
 * A logger that opens at its first line, for CLI commands: most write no line, and loading the logging
 * library takes longer than much of their work. If the file cannot be created, lines are lost.
 */
export function createLateLogger(options: LoggerOptions): OpenLogger {
  let opening: Promise<OpenLogger | null> | null = null;
  const opened = (): Promise<OpenLogger | null> => {
    opening ??= import('./logger.js')
      .then(({ createLogger }) => createLogger(options))
      .catch(() => null);
    return opening;
  };
  const isWritten = (level: WrittenLevel) =>
    logLevels.indexOf(level) >= logLevels.indexOf(options.level);

  function loggerOn(within: (logger: OpenLogger) => Logger): Logger {
    const writer = (level: WrittenLevel) => (fields: object, message: string) => {
      if (!isWritten(level)) return;
      void opened().then((logger) => logger && within(logger)[level](fields, message));
    };
    return {
      debug: writer('debug'),
      info: writer('info'),
      warn: writer('warn'),
      error: writer('error'),
      fatal: writer('fatal'),
      child: (fields) => loggerOn((logger) => within(logger).child(fields)),
    };
  }

  return {
    ...loggerOn((logger) => logger),
    close: async () => (await opening)?.close(),
  };
}
