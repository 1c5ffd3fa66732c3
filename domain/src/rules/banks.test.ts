import { describe, expect, it } from 'vitest';
import { bankCode, bankName, banks } from './banks.js';

describe('the code of a bank', () => {
  it.each([
    ['Guaranty Trust Bank', '058'],
    ['GTBank', '058'],
    ['gt bank plc', '058'],
    ['United Bank for Africa', '033'],
    ['First Bank of Nigeria', '011'],
    ['First City Monument Bank', '214'],
    ['Zenith', '057'],
    ['Kuda Microfinance Bank', '50211'],
    ['Moniepoint MFB', '50515'],
    ['EcoBank', '050'],
  ])('is found for %s', (typed, code) => {
    expect(bankCode(typed)).toBe(code);
  });

  it.each([' 058 ', 'Bank', 'Trust', ''])('is what was typed for %j, which names none', (typed) => {
    expect(bankCode(typed)).toBe(typed.trim());
  });

  it('is that of the list for each name of the list', () => {
    for (const [code, name] of banks) expect([name, bankCode(name)]).toEqual([name, code]);
    expect(bankName('058')).toBe('Guaranty Trust Bank');
    expect(bankName('000')).toBe('Bank 000');
  });
});
