export * from './correlation.js';
export { createLateLogger } from './late-logger.js';
export { createLogger } from './logger.js';
export {
  type Logger,
  type LoggerOptions,
  type LogLevel,
  logLevels,
  type OpenLogger,
} from './port.js';
export { redact, redactText } from './redaction.js';
export * from './security.js';
