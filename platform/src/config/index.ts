export { type AddressSet, addressBlock, addressSet, isPrivate, unmapped } from './addresses.js';
export * from './config.js';
export { type Problem, type Result, type Variables, variableNames } from './environment.js';
export { beginRotation, endRotation, SECRETS_FILE } from './secrets.js';
