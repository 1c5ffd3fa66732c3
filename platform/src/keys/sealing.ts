import { lock, unlock } from './box.js';

/** Where a sealed value stands. It opens nowhere else: copied to another place it is worthless. */
export interface SealedPlace {
  readonly stream: string;
  readonly field: string;
}

const placeText = ({ stream, field }: SealedPlace) => JSON.stringify([stream, field]);

/** Base64 of the value under AES-256-GCM, bound to its stream and field. `key`: 32 bytes. */
export function seal(key: Buffer, place: SealedPlace, plaintext: string): string {
  return lock(key, placeText(place), Buffer.from(plaintext)).toString('base64');
}

/** The value, or null when it was not sealed with this key for this place. */
export function open(key: Buffer, place: SealedPlace, sealed: string): string | null {
  return unlock(key, placeText(place), Buffer.from(sealed, 'base64'))?.toString() ?? null;
}
