import { addressSet } from './addresses.js';
import type { Problem, Variables } from './environment.js';

const ENGINES = [
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'REDIS_URL',
  'PAYSTACK_URL',
  'PAYSTACK_SECRET',
  'CLOUDINARY_URL',
  'SMTP_URL',
] as const;

/** What may never come from anywhere but the operator once real money can be taken. */
const REQUIRED = ['PAYSTACK_SECRET', 'PUBLIC_URL', 'TOKEN_SECRET', 'KEYS_MASTER_KEY'] as const;

export const publicUrlOf = (given: Variables): string =>
  given.PUBLIC_URL ?? `http://localhost:${given.PORT}`;

/** Whether the address can be reached from this machine only. */
export function isLocal(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl);
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname) || hostname.endsWith('.localhost');
}

const isLoopback = addressSet(['127.0.0.0/8', '::1']);

/** Whether it listens where this machine alone can reach it, as it does while nobody says otherwise. */
const staysHere = ({ HOST }: Variables): boolean =>
  HOST === undefined || HOST === 'localhost' || isLoopback(HOST);

/**
 * The one meaning of 'demo': test payments, sample goods and published passwords exist. Only when one
 * process runs everything on engines of its own for this machine alone, or when the operator says so:
 * an address for others to reach it (`HOST=0.0.0.0`) opens no demo by itself, since anybody can read
 * its passwords in the README.
 */
export function isDemo(given: Variables, everything: boolean): boolean {
  if (given.OJA_DEMO !== undefined) return given.OJA_DEMO;
  return (
    everything &&
    ENGINES.every((name) => given[name] === undefined) &&
    isLocal(publicUrlOf(given)) &&
    staysHere(given)
  );
}

/** Cookies, passwords and cards cross the network: without TLS whoever is in between reads them. */
function openly(given: Variables): readonly Problem[] {
  return given.PUBLIC_URL?.startsWith('http:')
    ? ['PUBLIC_URL must begin with https:// outside a demo (put TLS in front of the market)']
    : [];
}

/** What forbids this start; none: it may go on. */
export function objections(given: Variables, demo: boolean): readonly Problem[] {
  if (!demo) {
    const missing = REQUIRED.filter((name) => given[name] === undefined).map(
      (name) => `${name} must be set: this is not a demo (OJA_DEMO=1 would make it one)`,
    );
    return [...missing, ...openly(given)];
  }
  return given.PAYSTACK_SECRET?.startsWith('sk_live_')
    ? ['PAYSTACK_SECRET takes real money and a demo must not: unset it, or OJA_DEMO']
    : [];
}
