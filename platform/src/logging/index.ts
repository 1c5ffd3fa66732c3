export * from './correlation.js';
export * from './logger.js';
export { redact, redactText } from './redaction.js';
export * from './security.js';
