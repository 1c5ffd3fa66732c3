import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { positionOf } from '../port.js';
import {
  fromServer,
  IDENTITY,
  isSystem,
  parsed,
  type ServerEvent,
  toServer,
} from './recorded-event.js';

const serverNumber = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });

describe('The positions of EventStoreDB', () => {
  it('come back as they went, as 20 digits', () => {
    fc.assert(
      fc.property(serverNumber, (number) => {
        const position = fromServer({ commit: number, prepare: number });
        expect(position).toMatch(/^\d{20}$/);
        expect(position && toServer(position)).toEqual({ commit: number, prepare: number });
      }),
    );
  });

  it('sort as text as they do as numbers', () => {
    fc.assert(
      fc.property(serverNumber, serverNumber, (a, b) => {
        expect(positionOf(a) < positionOf(b)).toBe(a < b);
      }),
    );
  });

  it('are not made of two different numbers', () =>
    expect(fromServer({ commit: 9n, prepare: 7n })).toBeNull());

  it('stand at the end of all when they are beyond what the server counts to', () =>
    expect(toServer(positionOf(10n ** 20n - 1n)).commit).toBe(2n ** 63n - 1n));
});

const metadata = {
  actor: 'operator',
  commandId: 'a',
  correlationId: 'b',
  causationId: 'c',
  time: '2026-01-02T03:04:05.006Z',
  schemaVersion: 1,
};

const stored = (about: Partial<ServerEvent> = {}): ServerEvent => ({
  id: '1c9b1f7e-0000-4000-8000-000000000000',
  streamId: 'note-1',
  type: 'Noted',
  revision: 3n,
  isJson: true,
  data: { text: 'x' },
  metadata,
  position: { commit: 77n, prepare: 77n },
  ...about,
});

describe('An event as the server gives it', () => {
  it('is one of ours when all is there, and nothing else of it is kept', () => {
    expect(parsed(stored({ metadata: { ...metadata, $correlationId: 'z' } }))).toEqual({
      id: '1c9b1f7e-0000-4000-8000-000000000000',
      stream: 'note-1',
      type: 'Noted',
      revision: 3,
      data: { text: 'x' },
      metadata,
      position: '00000000000000000077',
    });
  });

  it.each<readonly [string, Partial<ServerEvent>]>([
    ['bytes', { isJson: false, data: new Uint8Array(2) }],
    ['a list', { data: [1] }],
    ['text that should have been JSON', { data: '{"half' }],
    ['no metadata', { metadata: undefined }],
    ['half the metadata', { metadata: { actor: 'operator' } }],
    ['no position', { position: undefined }],
    ['a position of two numbers', { position: { commit: 9n, prepare: 7n } }],
  ])('is a stranger with %s', (_, about) => expect(parsed(stored(about))).toBeNull());

  it.each([
    ['$metadata', '$$note-1'],
    ['$>', '$ce-note'],
    ['Noted', '$settings'],
    ['LogNamed', IDENTITY],
  ])("is the server's or the adapter's own: %s in %s", (type, streamId) =>
    expect(isSystem({ type, streamId })).toBe(true),
  );

  it("is nobody's own otherwise", () => expect(isSystem(stored())).toBe(false));
});
