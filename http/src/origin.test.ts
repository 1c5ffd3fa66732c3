import { Socket } from 'node:net';
import { addressSet } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { clientAddressOf } from './origin.js';

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
