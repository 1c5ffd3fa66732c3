import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Overloaded } from '@oja/http';
import { createEmbeddedState, type State } from '@oja/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  argon2id,
  type Client,
  createPasswords,
  type Hashing,
  tooManyGuesses,
} from './passwords.js';

const folder = mkdtempSync(join(tmpdir(), 'oja-passwords-'));
let state: State;

beforeAll(async () => {
  state = await createEmbeddedState({ file: join(folder, 'state.db') });
});
afterAll(async () => {
  await state.close();
  rmSync(folder, { recursive: true });
});

describe('a password', () => {
  it('matches itself and nothing else, for its seller and nobody else', async () => {
    const passwords = createPasswords(state);
    await passwords.set('ada', 'a long enough secret', 0);
    expect(await passwords.matches('ada', 'a long enough secret', 0)).toBe(true);
    expect(await passwords.matches('ada', 'a long enough secreT', 0)).toBe(false);
    expect(await passwords.matches('bisi', 'a long enough secret', 0)).toBe(false);
    expect(await passwords.matches(null, 'nobody has this password', 0)).toBe(false);
  });

  it('typed in another Unicode form is the same password', async () => {
    const passwords = createPasswords(state);
    await passwords.set('ada', 'Ọjà Ọba 1234', 0);
    expect(await passwords.matches('ada', 'Ọjà Ọba 1234'.normalize('NFD'), 0)).toBe(true);
  });

  it('takes as much work to refuse nobody as to refuse somebody', async () => {
    const verified: string[] = [];
    const passwords = createPasswords(state, {
      hash: argon2id.hash,
      verify(hashed, password) {
        verified.push(hashed);
        return argon2id.verify(hashed, password);
      },
    });
    await passwords.set('ada', 'a long enough secret', 0);
    for (const sellerId of ['ada', null])
      expect(await passwords.matches(sellerId, 'not the password', 0)).toBe(false);
    const costs = verified.map((hashed) => hashed.split('$').slice(0, 4).join('$'));
    expect(costs).toEqual(Array(2).fill('$argon2id$v=19$m=19456,t=2,p=1'));
  });

  it('that was forgotten opens nothing', async () => {
    const passwords = createPasswords(state);
    await passwords.set('ada', 'a long enough secret', 0);
    await passwords.forget('ada');
    expect(await passwords.matches('ada', 'a long enough secret', 0)).toBe(false);
  });
});

describe('a flood of logins', () => {
  /** A hashing whose hashes finish when told to, and that counts how many were begun. */
  function heldHashing() {
    const running: (() => void)[] = [];
    const begun: string[] = [];
    const hashing: Hashing = {
      hash: async () => 'a hash',
      async verify(_, password) {
        begun.push(password);
        await new Promise<void>((resolve) => running.push(resolve));
        return false;
      },
    };
    return { hashing, begun, end: () => running.shift()?.() };
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  function clients(address: (i: number) => string, count: number) {
    const leaving = Array.from({ length: count }, () => new AbortController());
    const all = leaving.map(
      ({ signal }, i): Client => ({ address: address(i), disconnected: signal }),
    );
    const leave = () => {
      for (const one of leaving) one.abort();
    };
    return { all, leave };
  }

  async function flooded(address: (i: number) => string, count = 400) {
    const held = heldHashing();
    const passwords = createPasswords(state, held.hashing);
    const { all, leave } = clients(address, count);
    let refused = 0;
    const tries = all.map((client, i) =>
      passwords.matches(null, `guess ${i}`, 0, client).catch((error: unknown) => {
        if (!(error instanceof Overloaded)) throw error;
        refused += 1;
      }),
    );
    await settled();
    return { ...held, passwords, leave, tries: () => Promise.all(tries), refused: () => refused };
  }

  it('of one address is refused but for a few, and leaves room for others', async () => {
    const flood = await flooded(() => '203.0.113.9');
    expect(flood.begun).toHaveLength(2);
    expect(flood.refused()).toBeGreaterThanOrEqual(370);
    const { all } = clients(() => '198.51.100.1', 1);
    const owner = flood.passwords.matches(null, 'the owner', 0, all[0]);
    for (let ended = 0; !flood.begun.includes('the owner'); ended += 1) {
      expect(ended).toBeLessThan(30);
      flood.end();
      await settled();
    }
    flood.leave();
    for (let i = 0; i < 40; i += 1) {
      flood.end();
      await settled();
    }
    await owner;
    await flood.tries();
  });

  it('of many addresses never makes a queue that is longer than anybody would wait in', async () => {
    const flood = await flooded((i) => `203.0.113.${i % 250}`);
    expect(flood.refused()).toBeGreaterThanOrEqual(350);
    for (let i = 0; i < 60; i += 1) {
      flood.end();
      await settled();
    }
    await flood.tries();
    expect(flood.begun).toHaveLength(50);
  });

  it('that was given up is not worked on', async () => {
    const flood = await flooded((i) => `203.0.113.${i % 250}`);
    flood.leave();
    for (let i = 0; i < 60; i += 1) {
      flood.end();
      await settled();
    }
    await flood.tries();
    expect(flood.begun).toHaveLength(2);
  });
});

describe('a guess that came too soon', () => {
  it.each([
    [1, 'a second'],
    [2, '2 seconds'],
  ])('after which one must wait for %d s is told to wait %s', (seconds, wait) => {
    expect(tooManyGuesses(seconds)).toMatchObject({
      failed: { message: `That was tried too often. Please wait ${wait} and try again` },
    });
  });
});
