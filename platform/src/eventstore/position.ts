import type { Position } from './port.js';

const digits = 20;
const format = /^\d{20}$/;

/** The text of an engine's number, padded so that positions sort as text. */
export function positionOf(number: number | bigint): Position {
  return String(number).padStart(digits, '0') as Position;
}

export function isPosition(text: string): text is Position {
  return format.test(text);
}

/** For engines only: everybody else treats a position as opaque. @throws RangeError for another text. */
export function numberOf(position: Position): bigint {
  if (!isPosition(position)) throw new RangeError(`'${position}' is not a position of a log`);
  return BigInt(position);
}
