import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFormStorage } from './form-storage.js';

const letter = createFormStorage('a-letter', ['name', 'message']);

const refuses = (): never => {
  throw new Error('QuotaExceededError');
};

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.unstubAllGlobals());

describe('what was typed', () => {
  it('is in memory where storage is forbidden, until it is emptied', () => {
    vi.stubGlobal('sessionStorage', { getItem: refuses, setItem: refuses, removeItem: refuses });
    letter.save({ name: 'Chiamaka', message: '' });
    expect(letter.load()).toEqual({ name: 'Chiamaka' });
    letter.save({ name: '', message: '' });
    expect(letter.load()).toEqual({});
  });

  it('of forms that share a name is kept until each is emptied', () => {
    const bank = createFormStorage('a-letter', ['bank']);
    letter.save({ name: 'Chiamaka' });
    bank.save({ bank: '058' });
    letter.save({ message: 'How do I rename it?' });
    expect(bank.load()).toEqual({ bank: '058' });
    expect(letter.load()).toEqual({ message: 'How do I rename it?' });
    letter.save({});
    expect(bank.load()).toEqual({ bank: '058' });
    bank.save({});
    expect(sessionStorage).toHaveLength(0);
  });

  it('is the newest when storage has become full, and not what was stored before', () => {
    letter.save({ message: 'How do I rename it?' });
    let stored = sessionStorage.getItem('a-letter');
    const removeItem = () => {
      stored = null;
    };
    vi.stubGlobal('sessionStorage', { getItem: () => stored, setItem: refuses, removeItem });
    letter.save({ message: 'And how do I close it?' });
    expect(letter.load()).toEqual({ message: 'And how do I close it?' });
    vi.unstubAllGlobals();
    letter.save({ message: 'Thank you' });
    expect(letter.load()).toEqual({ message: 'Thank you' });
  });
});
