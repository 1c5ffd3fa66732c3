export { createMail, type MailOptions } from './create.js';
export * from './port.js';
