import { describe, expect, it } from 'vitest';
import { oneLine, printable, severalLines } from './text.js';

const refused = [
  '\0',
  '\x1b[2J',
  '\x7f',
  '\x9b31m',
  '\u2028',
  '\u202e',
  '\u2066',
  '\u200f',
  '\ud800',
];

describe('text of one line', () => {
  it.each(['Adunni Textiles', "Ọ̀já Ńlá's", '₦500 & more', 'عادل', '👩🏽‍🍳 Kitchen'])(
    'may be %s',
    (text) => expect(oneLine.test(text)).toBe(true),
  );

  it.each([...refused, '\n', '\r', '\t', '\x85', '\u2029'])('may not hold %j', (sign) => {
    expect(oneLine.test(`Ada ${sign} Stores`)).toBe(false);
    expect(printable(`Ada ${sign} Stores`)).not.toContain(sign[0]);
  });
});

describe('text of several lines', () => {
  it('has lines and tabs', () => {
    expect(severalLines.test('Leather\n\r\n\t- strong')).toBe(true);
  });

  it.each(refused)('may not hold %j', (sign) => {
    expect(severalLines.test(`Leather\n${sign}bag`)).toBe(false);
  });

  it('is read in a time that its length bounds', () => {
    expect(severalLines.test(`${'a\n'.repeat(200_000)}\0`)).toBe(false);
  });
});
