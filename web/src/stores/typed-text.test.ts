import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { typedText } from './typed-text.js';

const letter = typedText('a-letter', ['name', 'message']);

const refuses = (): never => {
  throw new Error('QuotaExceededError');
};

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.unstubAllGlobals());

describe('what was typed', () => {
  it('is in memory where storage is forbidden, until it is emptied', () => {
    vi.stubGlobal('sessionStorage', { getItem: refuses, setItem: refuses, removeItem: refuses });
    letter.keep({ name: 'Chiamaka', message: '' });
    expect(letter.before()).toEqual({ name: 'Chiamaka' });
    letter.keep({ name: '', message: '' });
    expect(letter.before()).toEqual({});
  });

  it('is the newest when storage has become full, and not what was stored before', () => {
    letter.keep({ message: 'How do I rename it?' });
    let stored = sessionStorage.getItem('a-letter');
    const removeItem = () => {
      stored = null;
    };
    vi.stubGlobal('sessionStorage', { getItem: () => stored, setItem: refuses, removeItem });
    letter.keep({ message: 'And how do I close it?' });
    expect(letter.before()).toEqual({ message: 'And how do I close it?' });
    vi.unstubAllGlobals();
    letter.keep({ message: 'Thank you' });
    expect(letter.before()).toEqual({ message: 'Thank you' });
  });
});
