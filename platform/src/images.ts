import { z } from 'zod';
import type { State } from './state/port.js';

/** The image host. A `reference` is what events keep: a bare file name on Oja's own host, else the full address. */
export interface Images {
  /** The address to which a browser posts a multipart form with `file` and `upload_preset`. */
  readonly uploadUrl: string;
  readonly uploadPreset: string;
  /** The address under which a picture is shown. */
  address(reference: string): string;
  /** The reference for an address that this host, or Oja's own before it, gave out; null for any other address. */
  reference(address: string): string | null;
  /**
   * Uploads a picture from the server itself (samples, tests) and returns its address.
   * @throws Error when the host does not accept it.
   */
  upload(bytes: Buffer, fileName: string): Promise<string>;
}

/** The path of Oja's own upload call, the same as Cloudinary's for a cloud named 'oja'. */
export const UPLOAD_PATH = '/v1_1/oja/image/upload';
export const UPLOAD_PRESET = 'oja';
/** The path under which Oja's own host serves pictures; the file name follows. */
export const VIEW_PATH = '/v1/image/';

/** The widths in pixels that `?w=` accepts. */
export const WIDTHS = [320, 640, 1280] as const;
export type Width = (typeof WIDTHS)[number];

export const FORMATS = { jpg: 'jpeg', png: 'png', webp: 'webp' } as const;
export type Extension = keyof typeof FORMATS;

const NAME = /^[a-z0-9][a-z0-9-]{0,79}\.(jpg|png|webp)$/;

/** Whether a text is a valid picture name. It has no slash and no second dot, so it cannot leave the folder. */
const isPictureName = (text: string): boolean => NAME.test(text);

/** The picture name in a path under `/v1/image/`, or null. */
export function nameInPath(path: string): string | null {
  const name = path.startsWith(VIEW_PATH) ? path.slice(VIEW_PATH.length) : '';
  return isPictureName(name) ? name : null;
}

export interface ImagesOptions {
  /** The address under which browsers reach the market, without a trailing slash. */
  readonly publicUrl: string;
  /** Cloudinary's full upload address and preset. Omitted: Oja's own host. */
  readonly cloudinary?: { readonly uploadUrl: string; readonly uploadPreset: string };
}

const LONGEST_ADDRESS = 500;
const UPLOAD_TIMEOUT_MS = 60_000;
const uploaded = z.object({ secure_url: z.string().min(1) });

/** The `Images` port over Cloudinary's unsigned upload, or over Oja's own host, which answers the same call. */
export function createImages({ publicUrl, cloudinary }: ImagesOptions): Images {
  const uploadUrl = cloudinary?.uploadUrl ?? `${publicUrl}${UPLOAD_PATH}`;
  const uploadPreset = cloudinary?.uploadPreset ?? UPLOAD_PRESET;
  const home = cloudinary === undefined ? null : deliveryHome(cloudinary.uploadUrl);
  return {
    uploadUrl,
    uploadPreset,

    // A bare name stays a picture on Oja's own host, even after the market has moved to Cloudinary.
    address: (reference) =>
      isPictureName(reference) ? `${publicUrl}${VIEW_PATH}${reference}` : reference,

    reference(address) {
      if (home !== null && isBelow(home, address)) return address;
      // Also after a move to Cloudinary: a seller who edits a product may keep its earlier pictures.
      return address.startsWith(publicUrl) ? nameInPath(address.slice(publicUrl.length)) : null;
    },

    async upload(bytes, fileName) {
      const form = new FormData();
      form.set('upload_preset', uploadPreset);
      form.set('file', new Blob([new Uint8Array(bytes)]), fileName);
      const response = await fetch(uploadUrl, {
        method: 'POST',
        body: form,
        signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
      });
      const answer = uploaded.safeParse(await response.json().catch(() => null));
      if (!response.ok || !answer.success) {
        const why = response.headers.get('x-cld-error') ?? `status ${response.status}`;
        throw new Error(`The image host did not take ${fileName}: ${why}`);
      }
      return answer.data.secure_url;
    },
  };
}

/**
 * The origins that the Content-Security-Policy must allow: where browsers upload pictures and where they
 * load them from. Empty for Oja's own host. `uploadUrl`: Cloudinary's full upload address.
 */
export function imageOriginsOf(
  cloudinary: { readonly uploadUrl: string } | null,
): readonly string[] {
  if (cloudinary === null) return [];
  const { uploadUrl } = cloudinary;
  return [...new Set([new URL(uploadUrl).origin, new URL(deliveryHome(uploadUrl)).origin])];
}

/** Where a cloud serves its uploads: on Cloudinary's delivery host; for other hosts, on the same origin. */
function deliveryHome(uploadUrl: string): string {
  const { origin, hostname, pathname } = new URL(uploadUrl);
  const cloud = /^\/v1_1\/([^/]+)\//.exec(pathname)?.[1] ?? '';
  const host = /^api(-\w+)?\.cloudinary\.com$/.test(hostname)
    ? 'https://res.cloudinary.com'
    : origin;
  return `${host}/${cloud}/image/upload/`;
}

/** Accepts an address only in the form that the host writes: no other spelling, query, fragment or `..`. */
function isBelow(home: string, address: string): boolean {
  if (!address.startsWith(home) || address.length > LONGEST_ADDRESS) return false;
  const path = address.slice(home.length);
  // No comma: the wire has several addresses in one text, joined by commas.
  return /^[\w.~%:@+=/-]+$/.test(path) && new URL(address).href === address;
}

const ADOPTED = 'image-adopted';

/**
 * Records that these pictures are in use. Call it before the event that uses them: a crash in between
 * then keeps one picture too many, never one too few. Addresses on other hosts are ignored.
 */
export async function adoptPictures(
  state: State,
  references: readonly string[],
  now: number,
): Promise<void> {
  const ours = references.filter(isPictureName);
  await Promise.all(ours.map((name) => state.put(ADOPTED, name, {}, now)));
}

/** Whether a picture on Oja's own host is recorded as in use. */
export async function isAdopted(state: State, name: string, now: number): Promise<boolean> {
  return (await state.get(ADOPTED, name, now)) !== null;
}
