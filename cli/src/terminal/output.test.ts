import { expect, it } from 'vitest';
import {
  foldLine,
  formatMegabytes,
  formatNamedValues,
  formatRoughly,
  formatTable,
  joinParagraphs,
} from './output.js';
import { progressLine } from './progress.js';

const rows = [
  ['transaction', 'seller', 'amount', 'account'],
  ['6f1c2a52-5d0a-4f0e-9a86-3d1c7e52b9f4', 'Adunni Textiles', '₦11,500', '(not given)'],
];

it.each([80, 40, 20])('shows a table within %i columns', (width) => {
  const lines = formatTable(rows, width);
  expect(Math.max(...lines.slice(1).map((line) => line.length))).toBeLessThanOrEqual(width);
  for (const cell of ['Adunni Textiles', '₦11,500'])
    expect(lines.join(' ').replace(/\s+/g, ' ')).toContain(cell);
});

it('puts the cells under each other only where they do not fit, and never into a pipe', () => {
  expect(formatTable(rows, 40)).toEqual([
    '6f1c2a52-5d0a-4f0e-9a86-3d1c7e52b9f4',
    '  seller: Adunni Textiles',
    '  amount: ₦11,500',
    '  account: (not given)',
  ]);
  expect(formatTable(rows, null)).toHaveLength(2);
  expect(formatTable(rows, 100)).toHaveLength(2);
});

it.each([80, 40, 20])('shows how far it has come in one line of %i columns', (width) => {
  const what = 'transactions: comparing';
  for (const total of [null, 9, 1_234_567]) {
    const line = progressLine({ what, done: 5, total, rate: 1_234.5 }, width);
    expect(line.length).toBeLessThan(width);
  }
  expect(progressLine({ what: 'x', done: 5, total: 10, rate: 5 }, 80)).toBe(
    `x ${'█'.repeat(12)}${'░'.repeat(12)} 5/10  5/s  1 s left`,
  );
});

it('breaks a line at spaces, and neither a long word nor a command', () => {
  const id = '6f1c2a52-5d0a-4f0e-9a86-3d1c7e52b9f4';
  expect(foldLine(`  market on vm, of log-${id}, since then`, 20)).toEqual([
    '  market on vm, of',
    `    log-${id},`,
    '    since then',
  ]);
  const coloured = 'It is \u001b[32mrunning\u001b[0m well';
  expect(foldLine(coloured, 18)).toEqual([coloured]);
  const command = `  oja payouts mark-paid ${id}`;
  expect(foldLine(command, 40)).toEqual([command]);
  expect(foldLine('a line for a pipe', null)).toEqual(['a line for a pipe']);
  expect(foldLine('', 40)).toEqual(['']);
});

it.each([
  [0.2, 'less than a second'],
  [3.4, 'about 3 s'],
  [600, 'about 10 min'],
])('says of %d s that it takes %s', (seconds, told) => {
  expect(formatRoughly(seconds)).toBe(told);
});

it('shows values beside their names, or below them where that leaves too little room', () => {
  const settings = [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', '(no traces)'],
    ['DROP_OFF_ADDRESS', '(none: sold goods are collected from the sellers)'],
  ] as const;
  expect(formatNamedValues(settings, 80)[1]).toBe(
    'DROP_OFF_ADDRESS             (none: sold goods are collected from the sellers)',
  );
  expect(formatNamedValues(settings, 40)).toEqual([
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    '  (no traces)',
    'DROP_OFF_ADDRESS',
    '  (none: sold goods are collected from',
    '    the sellers)',
  ]);
});

it('joins the lines of a paragraph, and of nothing else', () => {
  const help =
    'Ids can be given\nto others. Buyers\nare not.\n\nExamples:\n  oja trace 1\n  oja trace 2\n';
  expect(joinParagraphs(help)).toBe(
    'Ids can be given to others. Buyers are not.\n\nExamples:\n  oja trace 1\n  oja trace 2\n',
  );
});

it.each([
  [0, '0.0 MB'],
  [12_288, '13 kB'],
  [49_999, '50 kB'],
  [60_000, '0.1 MB'],
])('shows %i bytes as %s', (bytes, text) => {
  expect(formatMegabytes(bytes)).toBe(text);
});
