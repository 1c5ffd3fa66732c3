/**
 * Rules of what people type: text, new names, passwords, banks. Apart from the other rules, which come with the
 * first page: these are for forms and for the server.
 */
export * from './banks.js';
export * from './new-business-name.js';
export * from './password.js';
export * from './text.js';
