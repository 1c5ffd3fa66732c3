import { addressBlock } from '../config/addresses.js';
import type { Logger } from './port.js';

/** What a line of the security log can be about; the list is closed, so that alarms can be written against it. */
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
  /** Whether it was let through. */
  readonly outcome: 'granted' | 'refused';
  /** Who did it or tried to: a seller's id, 'operator:<name>', or null for somebody who is not known. */
  readonly actor: string | null;
  /** The address it came from, written as the rate rules know it: whole, or the /64 of an IPv6 one; null: a terminal. */
  readonly from: string | null;
  /** The id of whom it was done to, where that is somebody else or somebody who was only claimed to be. */
  readonly subject?: string;
  /** Why it was refused, which rule was hit, or which way it was changed; a word of the code, never what somebody typed. */
  readonly reason?: string;
  /** How many sessions ended with it. */
  readonly sessions?: number;
}

export type SecurityLog = (entry: SecurityEntry) => void;

/**
 * What a market keeps of who got in, who did not, and who was given what. Lines of the process's own log that carry
 * `log: 'security'` and the entry's members as they are, with the correlation id of the request: 'info' where it was
 * granted, 'warn' where it was refused. Nothing in them opens anything: ids, an address, and words of the code.
 */
export function createSecurityLog(logger: Logger): SecurityLog {
  const lines = logger.child({ log: 'security' });
  return ({ from, ...entry }) => {
    const write = entry.outcome === 'granted' ? lines.info : lines.warn;
    const fields = { ...entry, from: from === null ? null : addressBlock(from) };
    write(fields, `security: ${entry.event} ${entry.outcome}`);
  };
}

/** Tells of every request that a rate rule has refused, by the rule's name. */
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
