/**
 * Rules for what people type: text, new names, passwords, banks. They are separate from the other
 * rules, which are in the first page's bundle; only forms and the server need these.
 */
export * from './banks.js';
export * from './new-business-name.js';
export * from './password.js';
export * from './text.js';
