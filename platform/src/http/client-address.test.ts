import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { addressBlock, addressSet, clientAddressOf, isPrivate } from './client-address.js';

function request(remoteAddress: string, forwarded?: string) {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
  return { socket, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } };
}

describe('the address of a client', () => {
  const trusted = addressSet(['10.0.0.0/8', '::1']);
  const of = (remote: string, forwarded?: string) =>
    clientAddressOf(request(remote, forwarded), trusted);

  it('is who is connected, unless a trusted proxy says otherwise', () => {
    expect(of('203.0.113.7', '1.2.3.4')).toBe('203.0.113.7');
    expect(of('10.0.0.1', '1.2.3.4')).toBe('1.2.3.4');
    expect(of('::ffff:10.0.0.1', '1.2.3.4')).toBe('1.2.3.4');
    expect(of('10.0.0.1')).toBe('10.0.0.1');
  });

  it('is the last one that no trusted proxy has, whatever the client wrote before it', () => {
    expect(of('10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2')).toBe('1.2.3.4');
    expect(of('::1', '6.6.6.6, nonsense')).toBe('::1');
  });
});

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
    expect(addressBlock('2001:db8:0:1:aaaa::1')).toBe('2001:db8:0:1::/64');
    expect(addressBlock('2001:0DB8::1')).toBe('2001:db8:0:0::/64');
    expect(addressBlock('::1')).toBe('0:0:0:0::/64');
    expect(addressBlock('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
    expect(addressBlock('1:2:3:4:5:6:7:8')).toBe('1:2:3:4::/64');
  });
});
