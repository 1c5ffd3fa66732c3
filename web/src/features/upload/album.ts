import { fieldsOf } from '../../api/fields.js';

/** A picked picture. Its bytes are kept in IndexedDB under the same id. */
export interface DraftPicture {
  readonly id: string;
  /** The product already has this picture: the bytes are only at its address. */
  readonly listed?: true;
  /** Recognizes a file that is picked twice. */
  readonly mark: string;
  /** Its address at the image host, once it is sent. */
  readonly address?: string;
  /** When it was sent, in epoch milliseconds: hosts delete unused pictures. */
  readonly sentAt?: number;
  /** The last attempt to send it failed. */
  readonly failed?: true;
}

/** The pictures being chosen, of a draft or of a product that is being changed. */
export interface Album {
  /** The same for all forms that show these pictures. */
  readonly key: string;
  now(): readonly DraftPicture[];
  change(next: (now: readonly DraftPicture[]) => readonly DraftPicture[]): void;
}

/** How long a sent picture may be used, in ms: image hosts keep unused pictures for a day. */
const ADDRESS_LIVES_MS = 20 * 60 * 60_000;

/** The picture's address, unless the host may have deleted it by now. */
export function freshAddress(picture: DraftPicture, now: number): string | undefined {
  const isKept = picture.listed || now - (picture.sentAt ?? 0) < ADDRESS_LIVES_MS;
  return isKept ? picture.address : undefined;
}

/** Reads a picture from storage. @returns one picture, or none when the value is not valid */
export function readPicture(raw: unknown): DraftPicture[] {
  const { id, mark, address, sentAt, listed } = fieldsOf(raw);
  if (typeof id !== 'string') return [];
  if (listed === true) return typeof address === 'string' ? [listedPicture(address)] : [];
  return [
    {
      id,
      mark: typeof mark === 'string' ? mark : id,
      ...(typeof address === 'string' && typeof sentAt === 'number' && { address, sentAt }),
    },
  ];
}

/** A picture that the product already has. */
export const listedPicture = (address: string): DraftPicture => ({
  id: address,
  mark: address,
  address,
  listed: true,
});
