import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Middleware } from './types.js';

export type AddressSet = (address: string) => boolean;

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether an address is one of these addresses and blocks (`10.0.0.0/8`). */
export function addressSet(entries: readonly string[]): AddressSet {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

/** Loopback, private and link-local addresses: this machine and its own network. */
export const isPrivate: AddressSet = addressSet([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
]);

/** An IPv4 address that came in through an IPv6 socket is still that IPv4 address. */
const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/**
 * The address of the client. X-Forwarded-For is read from its end, where the nearest proxy wrote, for
 * as long as trusted proxies are speaking; what a client wrote itself is never believed.
 */
export function clientAddressOf(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  isTrusted: AddressSet,
): string {
  let address = unmapped(request.socket.remoteAddress ?? '');
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  for (const hop of forwarded.reverse()) {
    const next = unmapped(hop.trim());
    if (!isTrusted(address) || isIP(next) === 0) break;
    address = next;
  }
  return address;
}

export function clientAddress(trustedProxy: readonly string[]): Middleware {
  const isTrusted = addressSet(trustedProxy);
  return (ctx, next) => {
    ctx.state.clientAddress = clientAddressOf(ctx.req, isTrusted);
    return next();
  };
}

/** What one household or machine holds: an IPv4 address, or the /64 of an IPv6 one. */
export function addressBlock(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
