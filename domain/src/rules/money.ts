/** Whole kobo, the only unit of money inside Oja; 100 kobo are one naira. Never a fraction, and never a float sum. */
export type Kobo = number;

export const KOBO_PER_NAIRA = 100;
/** Percent added to the price that a seller types: at upload, and when the price is changed later. */
export const UPLOAD_RAISE_PERCENT = 15;
export const UPDATE_RAISE_PERCENT = 10;

/** Which raise a price includes. The seller's share is computed from it. */
export type PriceKind = 'upload' | 'update';

const raisePercent: Readonly<Record<PriceKind, number>> = {
  upload: UPLOAD_RAISE_PERCENT,
  update: UPDATE_RAISE_PERCENT,
};

/**
 * Converts naira from the wire to kobo, rounded.
 * @throws RangeError when the result is not a safe integer.
 */
export function nairaToKobo(naira: number): Kobo {
  const kobo = Math.round(naira * KOBO_PER_NAIRA);
  if (!Number.isSafeInteger(kobo)) throw new RangeError(`${naira} is no amount of money`);
  return kobo;
}

/** Naira with kobo as decimals, for the wire and for display. Never calculate with the result. */
export function koboToNaira(kobo: Kobo): number {
  return kobo / KOBO_PER_NAIRA;
}

/** What shoppers pay for a price typed in whole naira: raised, and rounded half up to whole naira. */
export function raisedPriceNaira(typedNaira: number, kind: PriceKind): number {
  return Math.floor((typedNaira * (100 + raisePercent[kind]) + 50) / 100);
}

/** The seller's share of a price, in kobo: exactly what they typed, because typed prices are whole naira. */
export function sellerShare(price: Kobo, kind: PriceKind): Kobo {
  const percent = 100 + raisePercent[kind];
  const naira = Math.floor((2 * price + percent) / (2 * percent));
  return naira * KOBO_PER_NAIRA;
}

/** '₦11,500'. Decimals appear only for an amount with kobo, or with `alwaysKobo` ('₦5,000.00'). */
export function formatNaira(kobo: Kobo, options: { readonly alwaysKobo?: boolean } = {}): string {
  const sign = kobo < 0 ? '-' : '';
  const whole = Math.floor(Math.abs(kobo) / KOBO_PER_NAIRA);
  const rest = Math.abs(kobo) % KOBO_PER_NAIRA;
  const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, ',');
  const decimals = rest > 0 || options.alwaysKobo ? `.${String(rest).padStart(2, '0')}` : '';
  return `${sign}₦${grouped}${decimals}`;
}

/** Formats an amount in hundredths of its currency: naira as '₦…', others as '<code> 5,000.00'. */
export function formatMoney(amount: number, currency: string): string {
  if (currency === 'NGN') return formatNaira(amount);
  return formatNaira(amount, { alwaysKobo: true }).replace('₦', `${currency} `);
}
