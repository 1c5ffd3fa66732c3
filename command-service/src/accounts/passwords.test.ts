import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmbeddedState, type State } from '@oja/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPasswords } from './passwords.js';

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

  it('takes as long to refuse nobody as to refuse somebody', async () => {
    const passwords = createPasswords(state);
    await passwords.set('ada', 'a long enough secret', 0);
    const msFor = async (sellerId: string | null) => {
      const from = performance.now();
      await passwords.matches(sellerId, 'not the password', 0);
      return performance.now() - from;
    };
    await msFor(null);
    const rounds = 15;
    const took: Record<'somebody' | 'nobody', number[]> = { somebody: [], nobody: [] };
    // In turn, so that whatever else the machine does falls on both; the fastest of each is the work itself.
    for (let round = 0; round < rounds; round += 1) {
      took.somebody.push(await msFor('ada'));
      took.nobody.push(await msFor(null));
    }
    const share = Math.min(...took.nobody) / Math.min(...took.somebody);
    expect(share).toBeGreaterThan(0.6);
    expect(share).toBeLessThan(1.6);
  });

  it('that was forgotten opens nothing', async () => {
    const passwords = createPasswords(state);
    await passwords.set('ada', 'a long enough secret', 0);
    await passwords.forget('ada');
    expect(await passwords.matches('ada', 'a long enough secret', 0)).toBe(false);
  });
});
