import { limits, type PriceKind, raisedPriceNaira } from '@oja/domain/rules';

/** Only the digits before a point: prices are whole naira, however they are written. */
export function digitsOf(typed: string): string {
  const [whole = ''] = typed.split('.');
  return whole
    .replace(/\D/g, '')
    .replace(/^0+(?=\d)/, '')
    .slice(0, 9);
}

/** 21304 → 21,304. */
export function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Where in a grouped figure so many digits have gone by. */
export function placeAfter(figure: string, digits: number): number {
  let left = digits;
  for (const [place, sign] of [...figure].entries()) {
    if (left === 0) return place;
    if (sign !== ',') left -= 1;
  }
  return figure.length;
}

/** The typed price in naira; undefined while it is none that may be asked. */
export function priceOf(digits: string): number | undefined {
  const naira = digits === '' ? 0 : Number(digits);
  return naira >= limits.typedPriceNaira.min && naira <= limits.typedPriceNaira.max
    ? naira
    : undefined;
}

export interface PriceSplit {
  /** All in naira. */
  readonly receives: number;
  readonly added: number;
  readonly pays: number;
}

/** What the seller gets, what Oja adds and what shoppers pay. */
export function splitOf(naira: number, kind: PriceKind): PriceSplit {
  const pays = raisedPriceNaira(naira, kind);
  return { receives: naira, added: pays - naira, pays };
}
