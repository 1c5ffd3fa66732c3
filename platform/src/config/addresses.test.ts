import { describe, expect, it } from 'vitest';
import { addressBlock, isPrivate } from './addresses.js';

describe('addresses', () => {
  it('are private where only this machine and its network have them', () => {
    for (const address of ['127.0.0.1', '::1', '172.20.0.3', 'fd00::1']) {
      expect(isPrivate(address)).toBe(true);
    }
    for (const address of ['172.32.0.1', '8.8.8.8', '2001:db8::1', 'nonsense', '']) {
      expect(isPrivate(address)).toBe(false);
    }
  });

  it('of one household count as one', () => {
    expect(addressBlock('1.2.3.4')).toBe('1.2.3.4');
    expect(addressBlock('::ffff:10.0.0.1')).toBe('10.0.0.1');
    expect(addressBlock('2001:db8:0:1:aaaa::1')).toBe('2001:db8:0:1::/64');
    expect(addressBlock('2001:0DB8::1')).toBe('2001:db8:0:0::/64');
    expect(addressBlock('::1')).toBe('0:0:0:0::/64');
    expect(addressBlock('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
    expect(addressBlock('1:2:3:4:5:6:7:8')).toBe('1:2:3:4::/64');
  });
});
