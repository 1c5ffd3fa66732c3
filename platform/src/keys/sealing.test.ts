import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Keys } from './port.js';
import { createSealer, open, seal } from './sealing.js';

const key = randomBytes(32);
const place = { stream: 'seller-1', field: 'phone' };

describe('A sealed value', () => {
  it('opens to what was sealed, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string(),
        fc.string(),
        (text, stream, field) => {
          expect(open(key, { stream, field }, seal(key, { stream, field }, text))).toBe(text);
        },
      ),
    );
  });

  it('never looks the same twice', () => {
    expect(seal(key, place, '0803')).not.toBe(seal(key, place, '0803'));
  });

  it('opens nowhere else, with no other key, and not when a byte was changed', () => {
    const sealed = seal(key, place, '0803');
    expect(open(key, { ...place, stream: 'seller-2' }, sealed)).toBeNull();
    expect(open(key, { ...place, field: 'address' }, sealed)).toBeNull();
    expect(open(randomBytes(32), place, sealed)).toBeNull();
    const bytes = Buffer.from(sealed, 'base64');
    bytes.forEach((byte, index) => {
      const changed = Buffer.from(bytes);
      changed[index] = byte ^ 1;
      expect(open(key, place, changed.toString('base64'))).toBeNull();
    });
    expect(open(key, place, '')).toBeNull();
  });
});

describe('The sealer', () => {
  const held = new Map<string, Buffer>();
  const asked: string[][] = [];
  const keys: Keys = {
    async obtain(subject) {
      const known = held.get(subject) ?? randomBytes(32);
      held.set(subject, known);
      return known;
    },
    find: async (subject) => held.get(subject) ?? null,
    async findMany(subjects) {
      asked.push([...subjects]);
      return subjects.map((subject) => held.get(subject) ?? null);
    },
    destroy: async (subject) => held.delete(subject),
    isDestroyed: async () => false,
    rewrap: async () => ({ keys: held.size, rewrapped: 0, lingers: false }),
    kept: async () => [],
    adopt: async () => {},
    close: async () => {},
  };
  const sealer = createSealer(keys);

  it('seals the fields of a person and opens them until the key is gone', async () => {
    const sealed = await sealer.seal('seller:1', 'seller-1', { name: 'Ada', phone: '0803' });
    expect(sealed.name.subject).toBe('seller:1');
    expect(await sealer.open('seller-1', 'name', sealed.name)).toBe('Ada');
    expect(await sealer.open('seller-1', 'phone', sealed.name)).toBeNull();
    await keys.destroy('seller:1');
    expect(await sealer.open('seller-1', 'name', sealed.name)).toBeNull();
  });

  it('opens many in the order asked, fetching each key once', async () => {
    const [a, b] = [
      await sealer.seal('seller:a', 's-1', { name: 'Ada' }),
      await sealer.seal('seller:b', 's-1', { name: 'Bola' }),
    ];
    await keys.destroy('seller:b');
    const values = [b, a, b, a].map(({ name }) => ({ stream: 's-1', field: 'name', value: name }));
    expect(await sealer.openMany(values)).toEqual([null, 'Ada', null, 'Ada']);
    expect(asked.at(-1)).toEqual(['seller:b', 'seller:a']);
  });
});
