import { addressBlock } from '../config/addresses.js';
import type { Logger } from './port.js';

/** What a line of the security log can be about. The list is closed, so that alerts can be written against it. */
export const securityEvents = [
  'sign-in',
  'sign-up',
  'session-ended',
  'password-changed',
  'password-reset',
  'bank-details-changed',
  'letter-address-asked',
  'letter-address-changed',
  'suspension-changed',
  'sub-admin-changed',
  'head-admin-changed',
  'keys-rotated',
  'limit-hit',
] as const;
export type SecurityEvent = (typeof securityEvents)[number];

export interface SecurityEntry {
  readonly event: SecurityEvent;
  /** Whether the action was allowed. */
  readonly outcome: 'granted' | 'refused';
  /** Who did it or tried to: a seller's id, 'operator:<name>', or null for an unknown person. */
  readonly actor: string | null;
  /** The client's address as rate limits know it: whole, or the /64 of an IPv6 address. Null: a terminal. */
  readonly from: string | null;
  /** The id of the person affected, if that is not the actor, or if the actor only claimed to be that person. */
  readonly subject?: string;
  /** Why it was refused, which rule was hit, or how it was changed. A constant of the code, never user input. */
  readonly reason?: string;
  /** How many sessions this ended. */
  readonly sessions?: number;
}

export type SecurityLog = (entry: SecurityEntry) => void;

/**
 * Creates the security log: who got in, who did not, and who was granted what. Entries are lines of the
 * process's log with `log: 'security'`, the entry's fields and the correlation id, at level 'info' when
 * granted and 'warn' when refused. They hold no secrets: only ids, an address, and constants of the code.
 */
export function createSecurityLog(logger: Logger): SecurityLog {
  const lines = logger.child({ log: 'security' });
  return ({ from, ...entry }) => {
    const write = entry.outcome === 'granted' ? lines.info : lines.warn;
    const fields = { ...entry, from: from === null ? null : addressBlock(from) };
    write(fields, `security: ${entry.event} ${entry.outcome}`);
  };
}

/** Creates the function that logs every request refused by a rate rule, by the rule's name. */
export function createLimitLog(logger: Logger) {
  const log = createSecurityLog(logger);
  return (hit: {
    readonly rule: string;
    readonly actor: { readonly sellerId: string } | null;
    readonly clientAddress: string;
  }): void =>
    log({
      event: 'limit-hit',
      outcome: 'refused',
      actor: hit.actor?.sellerId ?? null,
      from: hit.clientAddress,
      reason: hit.rule,
    });
}
