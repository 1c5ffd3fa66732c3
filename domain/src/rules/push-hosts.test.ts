import { expect, it } from 'vitest';
import { isPushEndpoint } from './push-hosts.js';

it.each([
  'https://fcm.googleapis.com/fcm/send/abc:def',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://web.push.apple.com/abc',
  'https://wns2-par02p.notify.windows.com/w/?token=abc',
])('%s belongs to a push service', (endpoint) => expect(isPushEndpoint(endpoint)).toBe(true));

it.each([
  'http://fcm.googleapis.com/fcm/send/abc',
  'https://fcm.googleapis.com.example.com/',
  'https://fcm.googleapis.com@example.com/',
  'https://fcm.googleapis.com:8443/',
  'https://example.com/fcm.googleapis.com/',
  'https://.push.apple.com/',
  'https://evilpush.apple.com.example.com/',
  'https://127.0.0.1/',
])('%s does not', (endpoint) => expect(isPushEndpoint(endpoint)).toBe(false));
