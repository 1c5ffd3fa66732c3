import { BlockList, isIP } from 'node:net';

export type AddressSet = (address: string) => boolean;

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Returns a test for these addresses and CIDR blocks (`10.0.0.0/8`); text that is no IP address never passes. */
export function addressSet(entries: readonly string[]): AddressSet {
  let list: BlockList | null = null;
  return (address) => {
    if (isIP(address) === 0) return false;
    // Built on the first call: Node's BlockList is slow to create.
    list ??= blockList(entries);
    return list.check(address, familyOf(address));
  };
}

function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
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

/** Turns the form in which an IPv6 socket reports an IPv4 address (`::ffff:10.0.0.1`) into plain IPv4. */
export const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** The block that one household or machine holds: an IPv4 address itself, or the /64 of an IPv6 address. */
export function addressBlock(address: string): string {
  const plain = unmapped(address);
  if (isIP(plain) !== 6) return plain;
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Whether the URL can be reached from this machine only: its host is localhost, 127.0.0.1, [::1] or `*.localhost`. */
export function isLocal(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl);
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname) || hostname.endsWith('.localhost');
}
