import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cleanLine,
  cleanLines,
  editDistance,
  isBuyerName,
  isCallable,
  isWholeAddress,
  nationalFigures,
  printable,
} from './text.js';

const unseen = [
  '\0',
  '\x1b[2J',
  '\x7f',
  '\x9b31m',
  '\u2028',
  '\u202e',
  '\u2066',
  '\u200f',
  '\ud800',
  '\u00ad',
  '\u200b',
  '\u2060',
];

describe('text of one line', () => {
  it.each(['Adunni Textiles', "Ọ̀já Ńlá's", '₦500 & more', 'عادل', '👩🏽‍🍳 Kitchen'])(
    'stays %s',
    (text) => expect(cleanLine(text)).toBe(text),
  );

  it.each([...unseen, '\n', '\r', '\t', '\x85', '\u2029'])('holds no %j', (sign) => {
    expect(cleanLine(`Ada ${sign} Stores`)).not.toContain(sign[0]);
    expect(printable(`Ada ${sign} Stores`)).not.toContain(sign[0]);
  });

  it.each(['\u200b', '\u200d\u200c', '\u2800', '\u3164', ' \ufe0f '])(
    'is empty when nothing of it is seen: %j',
    (text) => {
      expect(cleanLine(text)).toBe('');
      expect(cleanLines(`${text}\n${text}`)).toBe('');
    },
  );

  it('has a space where it broke, and none at its ends', () => {
    expect(cleanLine('\u202a12 Allen\r\nAvenue,\tIkeja \u202c')).toBe('12 Allen Avenue, Ikeja');
  });

  it('has one plain space between words, as browsers show it', () => {
    expect(cleanLine('  Ada   Stores ')).toBe('Ada Stores');
    expect(cleanLine('Ada\u00a0\u202fStores\u3000&  Sons')).toBe('Ada Stores & Sons');
    expect(cleanLine('Ada \u202a Stores')).toBe('Ada Stores');
  });

  it('is read in a time that its length bounds', () => {
    expect(cleanLine(`a${' '.repeat(400_000)}b`)).toHaveLength(3);
  });
});

describe('text of several lines', () => {
  it('keeps lines and tabs', () => {
    expect(cleanLines('Leather\n\r\n\t- strong')).toBe('Leather\n\r\n\t- strong');
    expect(cleanLines('Leather\u2028- strong')).toBe('Leather\n- strong');
    expect(cleanLines('\n Leather \n')).toBe('Leather');
  });

  it.each(unseen)('holds no %j', (sign) => {
    expect(cleanLines(`Leather\n${sign}bag`)).not.toContain(sign[0]);
  });

  it('is read in a time that its length bounds', () => {
    expect(cleanLines(`${'a\n'.repeat(200_000)}\0`)).not.toContain('\0');
  });
});

it.each([
  '08034127765',
  '0803 412 7765',
  '+234 803 412 7765',
  '+234 (0) 803-412-7765',
  '2347012345678',
  '0091 98765 43210',
  '+44 20 7946 0958',
  cleanLine('0803\u200b4127765\u2060'),
  '01 773 1234',
  '042 255 123',
  '0201 773 1234',
  '042 25512',
  '+290 1234',
  '+49 1517 953 4021 7',
])('a rider can call %s', (phone) => expect(isCallable(phone)).toBe(true));

it.each([
  ...['', '0803412776', '080341277655', '8034127765', '00000000000', 'call me', '0803412776x'],
  ...['042 2551', '0201 773 12345', '+290 123', '+49 1517 953 4021 78', 'Ada +44 20 7946 0958'],
  '+44 20 7946 0958 Ada',
])('a rider cannot call %j', (phone) => expect(isCallable(phone)).toBe(false));

it.each([
  '08034127765',
  '0803 412 7765',
  '(0803) 412-7765',
  '0803.412.7765',
  '+2348034127765',
  '+234 (0)803 412 7765',
  '2348034127765',
  '00234 803 412 7765',
])('somebody in the country dials the eleven figures of %s', (phone) =>
  expect(nationalFigures(phone)).toBe('08034127765'),
);

it.each(['+44 20 7946 0958', '+1 234 803 412 7765', '234', '8034127765', 'call me'])(
  'what is no number of the country keeps its signs: %s',
  (phone) => expect(nationalFigures(phone)).toBe(phone.replaceAll(' ', '')),
);

it.each(['Ngozi Obi', 'Bo', 'Chiamaka', 'Ọlámidé', "Amina D'Silva", '王小明', 'Flat 4 reception'])(
  'somebody may be called %s',
  (name) => expect(isBuyerName(name)).toBe(true),
);

it.each(['', 'N', '0803', 'ngozi@example.com', '...'])('nobody is called %j', (name) =>
  expect(isBuyerName(name)).toBe(false),
);

it.each(['12 Allen Avenue, Ikeja', 'Agege Rd', 'Block 4, Flat 2', 'Opposite the mosque, Nsukka'])(
  'a rider finds %s',
  (address) => expect(isWholeAddress(address)).toBe(true),
);

it.each(['', 'Lagos', 'Ibeju-Lekki', 'Ajegunle,', '12 4', '1 12345 678', 'a b'])(
  'a rider does not find %j',
  (address) => expect(isWholeAddress(address)).toBe(false),
);

it('counts letters left out, added, swapped and mistaken, and no further than asked', () => {
  expect(editDistance('bag', 'bag', { most: 2 })).toBe(0);
  expect(editDistance('bga', 'bag', { most: 2 })).toBe(1);
  expect(editDistance('bagg', 'bag', { most: 2 })).toBe(1);
  expect(editDistance('big', 'bag', { most: 2 })).toBe(1);
  expect(editDistance('kettle', 'bag', { most: 2 })).toBe(3);
  expect(editDistance('kettle', 'bag')).toBe(6);
  expect(editDistance('ag', 'bag')).toBe(1);
  expect(editDistance('bag', 'baggy', { most: 2 })).toBe(2);
  expect(editDistance('bag', 'a bag of rice')).toBe(10);
  expect(editDistance('bga', 'a bag of rice', { within: true })).toBe(1);
  expect(editDistance('bga', 'a bag of rice', { most: 2, within: true })).toBe(1);
});

/** Counts the same slowly: the least of all ways to make one text of the other. */
function leastMistakes(text: string, other: string): number {
  if (text === '' || other === '') return text.length + other.length;
  const [rest, otherRest] = [text.slice(1), other.slice(1)];
  const isSwapped = text.length > 1 && text[0] === other[1] && text[1] === other[0];
  return Math.min(
    leastMistakes(rest, other) + 1,
    leastMistakes(text, otherRest) + 1,
    leastMistakes(rest, otherRest) + (text[0] === other[0] ? 0 : 1),
    isSwapped ? leastMistakes(text.slice(2), other.slice(2)) + 1 : Number.POSITIVE_INFINITY,
  );
}

it('counts the least mistakes that make one text of another, or of any part of it', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
  fc.assert(
    fc.property(word, word, fc.nat({ max: 6 }), (text, other, most) => {
      const ends = [...other, ''].map((_, end) => end);
      const parts = ends.flatMap((end) => ends.map((start) => other.slice(start, end)));
      const nearest = Math.min(...parts.map((part) => leastMistakes(text, part)));
      const least = leastMistakes(text, other);
      expect(editDistance(text, other)).toBe(least);
      expect(editDistance(text, other, { most })).toBe(Math.min(least, most + 1));
      expect(editDistance(text, other, { within: true })).toBe(nearest);
    }),
  );
});
