import { raisedPriceNaira, subcategoryById } from '@oja/domain/rules';
import { REQUEST_TIMEOUT_MS } from '../../api/client.js';
import { ApiError } from '../../api/error.js';
import { queryClient } from '../../api/query-client.js';
import { settingsQuery } from '../../api/settings.js';
import type { Body, Settings } from '../../api/types.js';
import {
  type Album,
  type DraftPicture,
  pendingMarks,
  usableAddress,
  whenArrived,
} from './album.js';
import { type Draft, draftAlbum, getDraft } from './draft.js';
import { allProductFields, picturesProblem, toWireField } from './fields.js';
import { loadPicture } from './picture-files.js';
import { type Posted, postDraft } from './post.js';
import type { UploadStep } from './progress.js';

/** The request body of the post: the price is raised by 15 %, and empty fields are left out. */
export function toListing(draft: Draft, imageUrls: string[]): Body<'addProduct'> {
  const typed = allProductFields(draft.subcategoryId).flatMap(({ name }) => {
    const value = draft.values[name] ?? '';
    return value.trim() === '' ? [] : Object.entries(toWireField(name, value));
  });
  const { prod_name = '', description = '', ...attributes } = Object.fromEntries(typed);
  const subcategoryId = draft.subcategoryId ?? 0;
  return {
    updatedInput: {
      ...attributes,
      prod_name: String(prod_name),
      description: String(description),
      price: raisedPriceNaira(Number(draft.price), 'upload'),
      subcategory_id: subcategoryId,
      subcategory_name: subcategoryById(subcategoryId)?.name ?? '',
      state: draft.state ?? '',
      local_govt: draft.localGovt ?? '',
    },
    imageUrls,
  };
}

/** Delays in ms before a picture is sent again: each is tried three times. */
const RETRY_AFTER_MS = [1_000, 3_000] as const;

type Report = (step: UploadStep) => void;

/**
 * Uploads the seller's draft as it is now: first the pictures that are not sent yet, one after the other, then the
 * product. It takes minutes, and what another tab types meanwhile is for the next product.
 * @returns the product id, and what was sent
 * @throws ApiError; pictures that have arrived are not sent again by the next attempt
 */
export async function uploadDraft(
  sellerId: string,
  report: Report,
): Promise<Posted & { readonly sent: Draft }> {
  const draft = getDraft(sellerId);
  const album = draftAlbum(sellerId);
  const addresses = await sendPictures(album, report);
  report({ phase: 'post', done: false });
  try {
    const pictures = album.now().filter(({ address = '' }) => addresses.includes(address));
    const sent = { ...draft, pictures };
    const posted = await postDraft(sellerId, sent, toListing(draft, addresses));
    report({ phase: 'post', done: true });
    return { ...posted, sent };
  } catch (error) {
    forgetAddresses(album, error);
    throw error;
  }
}

/** If the server refuses the addresses, the host has deleted pictures: new ones are sent again next time. */
export function forgetAddresses(album: Album, error: unknown): void {
  if (error instanceof ApiError && error.errors.imageUrls !== undefined)
    updateEach(album, (one) => (one.listed ? one : { id: one.id, mark: one.mark }));
}

const initialParts = (album: Album): number[] =>
  album.now().map((picture) => (usableAddress(picture, Date.now()) ? 1 : 0));

/** The step from which an upload starts. */
export const firstStep = (album: Album): UploadStep => ({
  phase: 'pictures',
  parts: [...initialParts(album), ...pendingMarks(album).map(() => 0)],
  at: 1,
});

/**
 * Sends the pictures that are not sent yet, one after the other, once all that were picked are scaled down.
 * @param report called at once, so that the bar shows and a second press starts nothing, and with each step
 * @returns the addresses of all pictures
 * @throws ApiError, also when too few of the picked files could be read
 */
export async function sendPictures(album: Album, report: Report): Promise<string[]> {
  const coming = pendingMarks(album);
  report(firstStep(album));
  const { imageUpload } = await queryClient.fetchQuery(settingsQuery);
  await whenArrived(album);
  const pictures = album.now();
  // Whoever checked the form counted those that were coming.
  if (coming.length > 0) requireValidCount(pictures.length);
  const parts = initialParts(album);
  const addresses: string[] = [];
  for (const [i, picture] of pictures.entries()) {
    const reportPart = (part: number) => {
      parts[i] = part;
      report({ phase: 'pictures', parts: [...parts], at: i + 1 });
    };
    const address =
      usableAddress(picture, Date.now()) ??
      (await sendOne(album, picture, imageUpload, reportPart));
    reportPart(1);
    addresses.push(address);
  }
  return addresses;
}

function requireValidCount(count: number): void {
  const { pictures: message } = picturesProblem(count);
  if (message !== undefined) throw new ApiError({ status: 400, message });
}

const toSentPicture = (address: string, { id, mark, address: earlierAddress }: DraftPicture) => ({
  id,
  mark,
  address,
  sentAt: Date.now(),
  ...(earlierAddress !== undefined && { earlierAddress }),
});

async function sendOne(
  album: Album,
  { id }: DraftPicture,
  to: Settings['imageUpload'],
  onProgress: (part: number) => void,
): Promise<string> {
  onProgress(0);
  try {
    const address = await withRetries(async () => {
      const file = await loadPicture(id);
      if (file === undefined)
        throw new ApiError({ status: 400, message: 'A picture is missing. Choose it again.' });
      return uploadPicture({ file, to, onProgress });
    });
    updateEach(album, (one) => (one.id === id ? toSentPicture(address, one) : one));
    return address;
  } catch (error) {
    updateEach(album, (one) => (one.id === id ? { ...one, failed: true } : one));
    throw error;
  }
}

/** The longest pause, in ms, that a host may ask for; whoever has uploaded too much in an hour waits longer. */
const MAX_PAUSE_MS = 10_000;

/** The host has no room for a moment, or gave up a phone that had lost its signal: it takes the picture after a pause. */
class HostBusy extends ApiError {
  /** @param pauseMs the pause that it asks for; 0 for none */
  constructor(
    failure: { readonly status: number; readonly message: string },
    readonly pauseMs: number,
  ) {
    super(failure);
  }
}

/** What an answer of the host that refuses a picture means. */
function toHostError(request: XMLHttpRequest, message = 'The picture was refused.'): ApiError {
  const { status } = request;
  const failure = { status, message };
  // 420 is Cloudinary's own code for too many uploads at the same moment, of all sellers together. It asks for no pause.
  if (status === 408 || status === 420) return new HostBusy(failure, 0);
  if (status !== 429) return new ApiError(failure);
  const pauseMs = 1_000 * Number(request.getResponseHeader('Retry-After') ?? Number.NaN);
  return pauseMs <= MAX_PAUSE_MS ? new HostBusy(failure, pauseMs) : new ApiError(failure);
}

/** Retries when no answer came, the host failed with a 5xx, or it is busy. */
async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (const wait of RETRY_AFTER_MS) {
    try {
      return await work();
    } catch (error) {
      const busy = error instanceof HostBusy;
      const passing =
        busy || (error instanceof ApiError && (error.isUnanswered || error.status >= 500));
      if (!passing || !navigator.onLine) throw error;
      const pause = busy ? Math.max(wait, error.pauseMs) : wait;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return work();
}

function updateEach(album: Album, change: (picture: DraftPicture) => DraftPicture): void {
  album.change((pictures) => pictures.map(change));
}

interface PictureUpload {
  readonly file: Blob;
  readonly to: Settings['imageUpload'];
  /** The share that was sent, 0 to 1. `fetch` reports no upload progress, hence XMLHttpRequest. */
  readonly onProgress: (part: number) => void;
}

/**
 * Sends one picture to the image host, without credentials, as the host's unsigned upload requires.
 * @returns the picture's address
 * @throws ApiError
 */
function uploadPicture({ file, to, onProgress }: PictureUpload): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append('file', file);
    form.append('upload_preset', to.uploadPreset);
    const fail = (code: string, message: string) =>
      reject(new ApiError({ status: 0, code, message }));

    request.open('POST', to.url);
    request.timeout = REQUEST_TIMEOUT_MS;
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      const { address, message } = readAnswer(request.responseText);
      if (request.status < 400 && address !== undefined) resolve(address);
      else reject(toHostError(request, message));
    };
    request.onerror = () =>
      fail(navigator.onLine ? 'network' : 'offline', 'The picture could not be sent.');
    request.ontimeout = () => fail('timeout', 'The picture could not be sent.');
    request.onabort = () => fail('aborted', 'Stopped.');
    request.send(form);
  });
}

interface HostAnswer {
  readonly secure_url?: unknown;
  readonly error?: { readonly message?: unknown } | null;
}

function readAnswer(text: string): { readonly address?: string; readonly message?: string } {
  try {
    const answer: HostAnswer | null = JSON.parse(text);
    const address = answer?.secure_url;
    const message = answer?.error?.message;
    return {
      ...(typeof address === 'string' && { address }),
      ...(typeof message === 'string' && { message }),
    };
  } catch {
    return {};
  }
}
