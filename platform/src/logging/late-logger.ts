import {
  type Logger,
  type LoggerOptions,
  logLevels,
  type OpenLogger,
  type WrittenLevel,
} from './port.js';

/**
 * A logger that is opened by its first line, for commands: most write none, and to read what writes lines takes longer
 * than much of what they do. Where the file cannot be made, lines are lost, as where it cannot be written.
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
