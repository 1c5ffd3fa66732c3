import { BlockList, isIP } from 'node:net';

export type AddressSet = (address: string) => boolean;

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether an address is one of these addresses and blocks (`10.0.0.0/8`). */
export function addressSet(entries: readonly string[]): AddressSet {
  let list: BlockList | null = null;
  return (address) => {
    if (isIP(address) === 0) return false;
    // Made when it is first asked: what Node reads an address with takes long to make.
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

/** An IPv4 address that came in through an IPv6 socket (`::ffff:10.0.0.1`) is still that IPv4 address. */
export const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** What one household or machine holds: an IPv4 address, or the /64 of an IPv6 one. */
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
