/** The best-known Nigerian banks, by the code that transfers use. The list is not complete. */
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

/** Other names by which people know these banks, and the codes. Each is written as `distinctive` leaves it. */
const otherNames: readonly (readonly [code: string, name: string])[] = [
  ['058', 'gt'],
  ['058', 'gtco'],
  ['033', 'unitedforafrica'],
  ['214', 'firstcitymonument'],
  ['011', 'fbn'],
  ['221', 'stanbic'],
  ['035', 'alat'],
];

/** What tells a bank's name from another's: neither case nor blanks, nor words such as Bank, PLC or MFB. */
const distinctive = (name: string): string =>
  name
    .toLowerCase()
    .replace(/bank|plc|limited|ltd|microfinance|mfb|of nigeria|nigeria|[^a-z0-9]/g, '');

/** The code for a name of a bank as people write it. Any other text is returned trimmed and treated as a code. */
export function bankCode(typed: string): string {
  const name = distinctive(typed);
  const known = [...banks, ...otherNames].find(([, each]) => distinctive(each) === name);
  return known?.[0] ?? typed.trim();
}

/** The bank's name, or 'Bank <code>' when the code is not in the list. */
export function bankName(code: string): string {
  return banks.find(([known]) => known === code)?.[1] ?? `Bank ${code}`;
}

/** Enough digits for the owner to recognise the account. */
const SHOWN_DIGITS = 4;

/** The last digits of an account number: safe to show, and stored (sealed) with a payout. */
export const accountEnd = (accountNumber: string): string => accountNumber.slice(-SHOWN_DIGITS);
