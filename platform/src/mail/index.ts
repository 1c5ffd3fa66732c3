export { createMail, type MailOptions } from './create.js';
export type * from './port.js';
