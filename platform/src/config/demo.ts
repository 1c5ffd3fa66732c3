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

/**
 * The one meaning of 'demo': test payments, sample goods and published passwords exist. Only when one
 * process runs everything on engines of its own for this machine alone, or when the operator says so.
 */
export function isDemo(given: Variables, everything: boolean): boolean {
  if (given.OJA_DEMO !== undefined) return given.OJA_DEMO;
  return (
    everything && ENGINES.every((name) => given[name] === undefined) && isLocal(publicUrlOf(given))
  );
}

/** What forbids this start; none: it may go on. */
export function objections(given: Variables, demo: boolean): readonly Problem[] {
  if (!demo) {
    return REQUIRED.filter((name) => given[name] === undefined).map(
      (name) => `${name} must be set: this is not a demo (OJA_DEMO=1 would make it one)`,
    );
  }
  return given.PAYSTACK_SECRET?.startsWith('sk_live_')
    ? ['PAYSTACK_SECRET takes real money and a demo must not: unset it, or OJA_DEMO']
    : [];
}
