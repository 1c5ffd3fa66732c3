import { isIP } from 'node:net';
import { z } from 'zod';
import { problemOfUrl } from '../eventstore/eventstoredb/url.js';

/** Bytes of KEYS_MASTER_KEY: AES-256. */
export const MASTER_KEY_BYTES = 32;

const withoutEndSlash = (address: string): string => address.replace(/\/+$/, '');

export const httpAddress = z
  .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
  .transform(withoutEndSlash);

export const origin = httpAddress.refine((address) => new URL(address).pathname === '/', {
  error: 'must be an address without a path, like https://market.example',
});

/** An engine's connection string, recognised by how it begins. */
export const connection = (...schemes: readonly string[]) =>
  z.string().refine((text) => schemes.some((scheme) => text.startsWith(`${scheme}://`)), {
    error: `must begin with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  });

/** As it is, or what its escapes mean; a sign of percent in a password is no escape that must be one. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The address of one server. What stands before its last `@` are name and password, whatever signs they
 * hold: a client that reads addresses by the book would end the process at some of them, and tell
 * them in its message. Answered with both escaped.
 */
export const serverAddress = (...schemes: readonly string[]) =>
  z.string().transform((text, context) => {
    const [scheme = '', rest = ''] = text.split(/:\/\/(.*)/s);
    const at = rest.lastIndexOf('@');
    const [name = '', password] = rest.slice(0, Math.max(at, 0)).split(/:(.*)/s);
    const who = [name, ...(password === undefined ? [] : [password])]
      .map((part) => encodeURIComponent(unescaped(part)))
      .join(':');
    const place = rest.slice(at + 1);
    const address = `${scheme}://${at < 0 ? '' : `${who}@`}${place}`;
    // A host alone is read as by the book; the parser knows the others by their scheme only.
    if (schemes.includes(scheme) && URL.canParse(`http://${place}`) && URL.canParse(address))
      return address;
    const message = `must be like ${schemes.map((one) => `${one}://name:password@host`).join(' or ')}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** Read to the end before its client sees it, which prints what it does not understand. */
export const eventStore = z.string().superRefine((text, context) => {
  const problem = problemOfUrl(text);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number from 0 to 65535')
  .transform(Number)
  .refine((number) => number <= 65_535, { error: 'must be a number from 0 to 65535' });

/** Either spelling of base64, or hexadecimal. */
export const masterKey = z
  .string()
  .transform((text) =>
    /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64'),
  )
  .refine((key) => key.length === MASTER_KEY_BYTES, {
    error: 'must be 32 random bytes, as 64 hexadecimal digits or in base64 (openssl rand -hex 32)',
  });

export const tokenSecret = z
  .string()
  .min(32, 'must be at least 32 random characters (openssl rand -hex 32)');

/** On unless it says otherwise in one of the ways people write that. */
export const onOff = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['on', 'off', '1', '0', 'true', 'false'], { error: 'must be on or off' }))
  .transform((word) => word === 'on' || word === '1' || word === 'true');

function isAddressOrBlock(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

export const addressList = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((parts) => parts.every(isAddressOrBlock), {
    error: 'must be addresses or blocks separated by commas, like 10.0.0.2,172.16.0.0/12',
  });
