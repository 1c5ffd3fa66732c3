/** Whole kobo: the only money inside Oja. 100 kobo are one naira. Never a fraction, never a float sum. */
export type Kobo = number;

export const KOBO_PER_NAIRA = 100;
/** What is added to the price a seller types when a product is uploaded, and when its price is changed. */
export const UPLOAD_RAISE_PERCENT = 15;
export const UPDATE_RAISE_PERCENT = 10;

/** Which of the two raises made a price, and so which share of it is the seller's. */
export type PriceKind = 'upload' | 'update';

const raisePercent: Readonly<Record<PriceKind, number>> = {
  upload: UPLOAD_RAISE_PERCENT,
  update: UPDATE_RAISE_PERCENT,
};

/** Naira from the wire, exact to the kobo. @throws RangeError for what is no amount of money. */
export function nairaToKobo(naira: number): Kobo {
  const kobo = Math.round(naira * KOBO_PER_NAIRA);
  if (!Number.isSafeInteger(kobo)) throw new RangeError(`${naira} is no amount of money`);
  return kobo;
}

/** In naira, with kobo as decimals: for the wire and for people, never to reckon with. */
export function koboToNaira(kobo: Kobo): number {
  return kobo / KOBO_PER_NAIRA;
}

/** What shoppers pay for a price typed in whole naira: raised and rounded half up to whole naira. */
export function raisedPriceNaira(typedNaira: number, kind: PriceKind): number {
  return Math.floor((typedNaira * (100 + raisePercent[kind]) + 50) / 100);
}

/** The seller's part of a price: exactly what they typed, since typed prices are whole naira. */
export function sellerShare(price: Kobo, kind: PriceKind): Kobo {
  const percent = 100 + raisePercent[kind];
  const naira = Math.floor((2 * price + percent) / (2 * percent));
  return naira * KOBO_PER_NAIRA;
}

/** ₦11,500; with kobo only where there are kobo, or where they are asked for (₦5,000.00). */
export function formatNaira(kobo: Kobo, options: { readonly alwaysKobo?: boolean } = {}): string {
  const sign = kobo < 0 ? '-' : '';
  const whole = Math.floor(Math.abs(kobo) / KOBO_PER_NAIRA);
  const rest = Math.abs(kobo) % KOBO_PER_NAIRA;
  const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, ',');
  const decimals = rest > 0 || options.alwaysKobo ? `.${String(rest).padStart(2, '0')}` : '';
  return `${sign}₦${grouped}${decimals}`;
}

/** An amount in hundredths of its currency: as naira where it is naira, else behind the currency's code. */
export function formatMoney(amount: number, currency: string): string {
  if (currency === 'NGN') return formatNaira(amount);
  return formatNaira(amount, { alwaysKobo: true }).replace('₦', `${currency} `);
}
