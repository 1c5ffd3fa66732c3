import { HOUR_MS, limits } from '@oja/domain/rules';
import { create } from 'zustand';
import { asRecord } from '../../api/as-record.js';
import { newIdempotencyKey } from '../../api/client.js';
import { toast } from '../../ui/toast.js';
import {
  deletePictures,
  findPictureProblem,
  markOf,
  savePicture,
  selectFiles,
  shrink,
} from './picture-files.js';

/** A picked picture. Its bytes are kept in IndexedDB under the same id. */
export interface DraftPicture {
  readonly id: string;
  /** The product already has this picture: the bytes are only at its address. */
  readonly listed?: true;
  /** Recognizes a file that is picked twice. */
  readonly mark: string;
  /** Its address at the image host, once it is sent. */
  readonly address?: string;
  /** Its address before that, when it had to be sent again. */
  readonly earlierAddress?: string;
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
const ADDRESS_LIFETIME_MS = 20 * HOUR_MS;

/** The picture's address, unless the host may have deleted it by now. */
export function usableAddress(picture: DraftPicture, now: number): string | undefined {
  const age = now - (picture.sentAt ?? 0);
  // A clock that was set back does not tell how old it is.
  const isKept = picture.listed || (age >= 0 && age < ADDRESS_LIFETIME_MS);
  return isKept ? picture.address : undefined;
}

/** Reads a picture from storage. @returns one picture, or none when the value is not valid */
export function parsePicture(raw: unknown): DraftPicture[] {
  const { id, mark, address, earlierAddress, sentAt, listed, failed } = asRecord(raw);
  if (typeof id !== 'string') return [];
  if (listed === true) return typeof address === 'string' ? [listedPicture(address)] : [];
  return [
    {
      id,
      mark: typeof mark === 'string' ? mark : id,
      ...(typeof address === 'string' && typeof sentAt === 'number' && { address, sentAt }),
      ...(typeof earlierAddress === 'string' && { earlierAddress }),
      ...(failed === true && { failed }),
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

/** Picked files that are not in the album yet: a phone needs a second or more to scale a photo down. */
interface PendingPicks {
  /** The marks of the files that are still being scaled down, in the order picked. */
  readonly marks: readonly string[];
  /** Resolves once each of them has arrived or was refused. */
  readonly finished: Promise<void>;
  /** How often the album was emptied: files picked before the last time are dropped. */
  readonly emptied: number;
}

const noPending: PendingPicks = { marks: [], finished: Promise.resolve(), emptied: 0 };

/** Album key → pending files. It outlives the picker, which is unmounted when the form is left. */
const usePendingStore = create<Readonly<Record<string, PendingPicks>>>(() => ({}));

const pendingOf = ({ key }: Album): PendingPicks => usePendingStore.getState()[key] ?? noPending;

function changePending(album: Album, change: (now: PendingPicks) => Partial<PendingPicks>): void {
  const now = pendingOf(album);
  usePendingStore.setState({ [album.key]: { ...now, ...change(now) } });
}

/** The marks of the picked files that are still being scaled down. */
export const pendingMarks = (album: Album): readonly string[] => pendingOf(album).marks;

export const usePendingMarks = ({ key }: Album): readonly string[] =>
  usePendingStore((all) => all[key] ?? noPending).marks;

/** Resolves once all that was picked so far is in the album or was refused. */
export const whenArrived = (album: Album): Promise<void> => pendingOf(album).finished;

/** @returns tells whether the album has been emptied since this call */
export function trackEmptied(album: Album): () => boolean {
  const { emptied } = pendingOf(album);
  return () => pendingOf(album).emptied !== emptied;
}

/** Deletes the bytes of an album's pictures before the album itself goes. What is still coming is dropped. */
export function emptyAlbum(album: Album, pictures = album.now()): void {
  deletePictures(pictures.map(({ id }) => id));
  clearPending(album);
}

const clearPending = (album: Album) =>
  changePending(album, ({ emptied }) => ({ ...noPending, emptied: emptied + 1 }));

/** Called when another tab has emptied the album: drops this tab's pending files and says so. */
export function dropPending(album: Album): void {
  if (pendingMarks(album).length > 0)
    toast.info('Your product was uploaded in another tab, before these pictures were ready.');
  clearPending(album);
}

/**
 * Adds picked files to the album, each scaled down first. One follows the other, so that they arrive in the
 * order picked and only one large photo at a time is in memory.
 * @returns whether there were more files than room
 */
export function addFiles(album: Album, files: readonly File[]): boolean {
  const { marks, finished: before } = pendingOf(album);
  const picked = selectFiles(files, [...album.now().map(({ mark }) => mark), ...marks]);
  if (picked.notPictures) toast.error('Only images can be added.');
  if (picked.tooMany) toastTooMany();
  const isEmptied = trackEmptied(album);
  changePending(album, () => ({
    marks: [...marks, ...picked.taken.map(markOf)],
    finished: picked.taken.reduce(
      (earlier, file) => earlier.then(() => addFile(album, file, isEmptied)),
      before,
    ),
  }));
  return picked.tooMany;
}

async function addFile(album: Album, file: File, isEmptied: () => boolean): Promise<void> {
  if (isEmptied()) return;
  // A browser that fails here must hold up neither the files behind this one nor the upload.
  const scaled = await shrink(file).catch(() => undefined);
  if (isEmptied()) return;
  const picture = usableOrToast(file, scaled);
  if (picture !== undefined) {
    const id = newIdempotencyKey();
    await savePicture(id, picture);
    if (isEmptied()) return deletePictures([id]);
    insertPicture(album, { id, mark: markOf(file) });
  }
  changePending(album, ({ marks }) => ({
    marks: marks.filter((mark) => mark !== markOf(file)),
  }));
}

/** @returns the scaled-down picture; undefined when it cannot be sent, and the seller was told why */
function usableOrToast(file: File, picture: Blob | undefined): Blob | undefined {
  const why = findPictureProblem(file, picture);
  if (why === undefined) return picture;
  const { text, ...how } = why;
  toast.error(text, how);
  return undefined;
}

/** Inserts a picture, at the end by default. If the album is full, the picture's bytes are deleted. */
export function insertPicture(
  album: Album,
  picture: DraftPicture,
  place: number = limits.images.max,
): void {
  if (album.now().length < limits.images.max) {
    album.change((now) => [...now.slice(0, place), picture, ...now.slice(place)]);
  } else {
    deletePictures([picture.id]);
    toastTooMany();
  }
}

export const TOO_MANY = `You can only upload up to ${limits.images.max} images.`;
const toastTooMany = () =>
  toast.error(TOO_MANY, { title: `Maximus number of file is ${limits.images.max}.` });
