/** Nigerian banks by the code that transfers name them with; there are others. */
export const banks: readonly (readonly [code: string, name: string])[] = [
  ['044', 'Access Bank'],
  ['050', 'Ecobank'],
  ['070', 'Fidelity Bank'],
  ['011', 'First Bank'],
  ['214', 'FCMB'],
  ['058', 'Guaranty Trust Bank'],
  ['50211', 'Kuda'],
  ['50515', 'Moniepoint'],
  ['999992', 'OPay'],
  ['999991', 'PalmPay'],
  ['076', 'Polaris Bank'],
  ['221', 'Stanbic IBTC'],
  ['232', 'Sterling Bank'],
  ['032', 'Union Bank'],
  ['033', 'UBA'],
  ['215', 'Unity Bank'],
  ['035', 'Wema Bank'],
  ['057', 'Zenith Bank'],
];

/** The code of a bank that was typed by its name; anything else is taken for a code. */
export function bankCode(typed: string): string {
  const name = typed.trim().toLowerCase();
  return banks.find(([, known]) => known.toLowerCase() === name)?.[0] ?? typed.trim();
}

/** The bank's name, or its code where the name is not known. */
export function bankName(code: string): string {
  return banks.find(([known]) => known === code)?.[1] ?? `Bank ${code}`;
}

/** So much of an account's number is shown that its owner knows it. */
const SHOWN_DIGITS = 4;

/** The end of an account's number: what may be shown, and kept beside a payout. */
export const accountEnd = (accountNumber: string): string => accountNumber.slice(-SHOWN_DIGITS);
