import { NotJson, type State } from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

export interface StateFixture {
  /** Opens the same state again, as another process or a restart would. */
  open(): Promise<State>;
  remove(): Promise<void>;
}

const now = 1_800_000_000_000;

/** The contract of every engine of the `State` port. */
export function stateContract(name: string, make: () => Promise<StateFixture>): void {
  describe(name, () => {
    let fixture: StateFixture;
    let state: State;
    beforeEach(async () => {
      fixture = await make();
      state = await fixture.open();
    });
    afterEach(async () => {
      await state.close();
      await fixture.remove();
    });

    it('gives back what was put, with a version that grows', async () => {
      const value = { text: 'Ọjà \u0000', list: [1, null, true] };
      const first = await state.put('session', 'a', value, now);
      expect(await state.get('session', 'a', now)).toEqual({
        key: 'a',
        value,
        version: first,
        expiresAt: null,
      });
      const second = await state.put('session', 'a', { text: 'new' }, now);
      expect(Number(second)).toBeGreaterThan(Number(first));
      expect(await state.get('session', 'a', now)).toMatchObject({ value: { text: 'new' } });
      expect(await state.get('other', 'a', now)).toBeNull();
    });

    it('names the spaces that hold something', async () => {
      expect(await state.spaces()).toEqual([]);
      await state.put('session', 'a', {}, now);
      await state.put('password', 'a', {}, now);
      await state.put('password', 'b', {}, now);
      await state.put('lease', 'a', {}, now);
      await state.delete('lease', 'a');
      expect(await state.spaces()).toEqual(['password', 'session']);
    });

    it('puts only what is absent, when asked so', async () => {
      expect(await state.put('lease', 'a', { by: 1 }, now, { if: 'absent' })).not.toBeNull();
      expect(await state.put('lease', 'a', { by: 2 }, now, { if: 'absent' })).toBeNull();
      expect(await state.get('lease', 'a', now)).toMatchObject({ value: { by: 1 } });
    });

    it('puts only over the version that was read, when asked so', async () => {
      const version = await state.put('lease', 'a', { by: 1 }, now);
      if (version === null) throw new Error('The first put has a version');
      expect(await state.put('lease', 'a', { by: 2 }, now, { if: version })).not.toBeNull();
      expect(await state.put('lease', 'a', { by: 3 }, now, { if: version })).toBeNull();
      expect(await state.put('lease', 'none', { by: 3 }, now, { if: version })).toBeNull();
      expect(await state.get('lease', 'a', now)).toMatchObject({ value: { by: 2 } });
    });

    it('never gives an entry made again a version it had before', async () => {
      const version = await state.put('lease', 'a', { by: 1 }, now);
      if (version === null) throw new Error('The first put has a version');
      await state.delete('lease', 'a');
      await state.put('lease', 'a', { by: 2 }, now);
      expect(await state.put('lease', 'a', { by: 3 }, now, { if: version })).toBeNull();
      expect(await state.delete('lease', 'a', version)).toBe(false);
    });

    it('lets one of 100 have what is absent', async () => {
      const other = await fixture.open();
      const results = await Promise.all(
        Array.from({ length: 100 }, (_, by) =>
          (by % 2 ? other : state).put('lease', 'a', { by }, now, { if: 'absent' }),
        ),
      );
      expect(results.filter((version) => version !== null)).toHaveLength(1);
      await other.close();
    });

    it('takes what has expired for absent, from its very millisecond on', async () => {
      const version = await state.put('session', 'a', { n: 1 }, now, { expiresAt: now + 10 });
      expect(await state.get('session', 'a', now + 9)).toMatchObject({ expiresAt: now + 10 });
      expect(await state.get('session', 'a', now + 10)).toBeNull();
      expect(await state.list('session', '', now + 10)).toEqual([]);
      if (version === null) throw new Error('The first put has a version');
      expect(await state.put('session', 'a', { n: 2 }, now + 10, { if: version })).toBeNull();
      expect(await state.put('session', 'a', { n: 2 }, now + 10, { if: 'absent' })).not.toBeNull();
      expect(await state.get('session', 'a', now + 99)).toMatchObject({ expiresAt: null });
    });

    it('deletes, and says whether there was something', async () => {
      const version = await state.put('session', 'a', {}, now);
      if (version === null) throw new Error('The first put has a version');
      expect(await state.delete('session', 'a', version + 1)).toBe(false);
      expect(await state.delete('session', 'a', version)).toBe(true);
      expect(await state.delete('session', 'a')).toBe(false);
      expect(await state.get('session', 'a', now)).toBeNull();
    });

    it('lists by key what starts with a prefix, page by page', async () => {
      const keys = ['a', 'a:1', 'a:10', 'a:2', 'a:é', 'a:\u{10ffff}', 'a:\u{10ffff}z', 'a;', 'b'];
      for (const key of [...keys].reverse()) await state.put('upload', key, { key }, now);
      await state.put('other', 'a:3', {}, now);
      const found = async (prefix: string, options = {}) =>
        (await state.list('upload', prefix, now, options)).map(({ key }) => key);
      expect(await found('a:')).toEqual(keys.slice(1, 7));
      expect(await found('a:', { limit: 2 })).toEqual(['a:1', 'a:10']);
      expect(await found('a:', { limit: 2, after: 'a:10' })).toEqual(['a:2', 'a:é']);
      expect(await found('a:\u{10ffff}')).toEqual(keys.slice(5, 7));
      expect(await found('')).toEqual(keys);
      expect(await found('%')).toEqual([]);
    });

    it('sweeps what has expired, and nothing else', async () => {
      await state.put('session', 'old', {}, now, { expiresAt: now + 1 });
      await state.put('session', 'new', {}, now, { expiresAt: now + 2 });
      await state.put('session', 'kept', {}, now);
      expect(await state.sweep(now + 1)).toBe(1);
      expect(await state.sweep(now + 1)).toBe(0);
      expect(await state.list('session', '', now)).toHaveLength(2);
    });

    it('has everything after a restart, and another process sees it at once', async () => {
      const other = await fixture.open();
      const version = await state.put('session', 'a', { n: 1 }, now);
      expect(await other.get('session', 'a', now)).toMatchObject({ version });
      await other.close();
      await state.close();
      state = await fixture.open();
      expect(await state.get('session', 'a', now)).toMatchObject({ version, value: { n: 1 } });
    });

    it.each<readonly [string, unknown]>([
      ['a bigint', { n: 1n }],
      ['a date', { at: new Date(0) }],
      ['NaN', { n: Number.NaN }],
      ['bytes', { b: new Uint8Array(1) }],
      ['a list', []],
      ['nothing', null],
    ])('refuses %s as a value, and lives on', async (_, value) => {
      const args = ['session', 'a', value, now];
      await expect(Reflect.apply(state.put, state, args)).rejects.toThrow(NotJson);
      expect(await state.put('session', 'a', {}, now)).not.toBeNull();
    });

    it.each<readonly [string, unknown]>([
      ['true', true],
      ['an object', {}],
      ['a date', new Date(0)],
      ['bytes', new Uint8Array(1)],
      ['a list', ['a']],
      ['undefined', undefined],
      ['a function', () => 'a'],
      ['a symbol', Symbol('a')],
      ['NaN', Number.NaN],
    ])('refuses %s as a key, and lives on', async (_, key) => {
      await expect(Reflect.apply(state.get, state, ['session', key, now])).rejects.toThrow();
      await expect(Reflect.apply(state.put, state, ['session', key, {}, now])).rejects.toThrow();
      await expect(Reflect.apply(state.delete, state, ['session', key])).rejects.toThrow();
      expect(await state.put('session', 'a', {}, now)).not.toBeNull();
    });
  });
}
