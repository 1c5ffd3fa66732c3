import { z } from 'zod';
import type { State } from './state/port.js';

/** Where pictures live. `reference` is what events keep: a bare name on Oja's own host, else the address. */
export interface Images {
  /** Where a browser sends its multipart `file` with `upload_preset`. */
  readonly uploadUrl: string;
  readonly uploadPreset: string;
  /** The address to show for a reference. */
  address(reference: string): string;
  /** The reference of an address that this host gave out; null for any other address. */
  reference(address: string): string | null;
  /** Uploads bytes as the server itself (samples, tests). Answers the address. */
  upload(bytes: Buffer, fileName: string): Promise<string>;
}

/** The path of Oja's own upload call, the same as Cloudinary's with the cloud 'oja'. */
export const UPLOAD_PATH = '/v1_1/oja/image/upload';
export const UPLOAD_PRESET = 'oja';
/** Pictures of Oja's own host are at this path and their name. */
export const VIEW_PATH = '/v1/image/';

/** Widths in pixels that a picture can be asked in with `?w=`. */
export const WIDTHS = [320, 640, 1280] as const;
export type Width = (typeof WIDTHS)[number];

export const FORMATS = { jpg: 'jpeg', png: 'png', webp: 'webp' } as const;
export type Extension = keyof typeof FORMATS;

const NAME = /^[a-z0-9][a-z0-9-]{0,79}\.(jpg|png|webp)$/;

/** Whether a text may be the name of a picture: no slash, no second dot, so no way out of the folder. */
export const isPictureName = (text: string): boolean => NAME.test(text);

/** The name in a path under `/v1/image/`, or null. */
export function nameInPath(path: string): string | null {
  const name = path.startsWith(VIEW_PATH) ? path.slice(VIEW_PATH.length) : '';
  return isPictureName(name) ? name : null;
}

export interface ImagesOptions {
  /** Where browsers reach the market, without a slash at its end. */
  readonly publicUrl: string;
  /** Cloudinary's full upload address and preset; left out: Oja's own host. */
  readonly cloudinary?: { readonly uploadUrl: string; readonly uploadPreset: string };
}

const LONGEST_ADDRESS = 500;
const UPLOAD_TIMEOUT_MS = 60_000;
const uploaded = z.object({ secure_url: z.string().min(1) });

/** The `Images` port over Cloudinary's unsigned upload, or over the host that answers the same call. */
export function createImages({ publicUrl, cloudinary }: ImagesOptions): Images {
  const uploadUrl = cloudinary?.uploadUrl ?? `${publicUrl}${UPLOAD_PATH}`;
  const uploadPreset = cloudinary?.uploadPreset ?? UPLOAD_PRESET;
  const home = cloudinary === undefined ? null : deliveryHome(cloudinary.uploadUrl);
  return {
    uploadUrl,
    uploadPreset,

    // A name stays a picture of Oja's own host, also after the market has moved to Cloudinary.
    address: (reference) =>
      isPictureName(reference) ? `${publicUrl}${VIEW_PATH}${reference}` : reference,

    reference(address) {
      if (home !== null) return isBelow(home, address) ? address : null;
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
 * The origins that a browser of the market must be let reach: where it sends pictures, and where it gets them from.
 * None for Oja's own host. `uploadUrl`: Cloudinary's full upload address.
 */
export function imageOriginsOf(
  cloudinary: { readonly uploadUrl: string } | null,
): readonly string[] {
  if (cloudinary === null) return [];
  const { uploadUrl } = cloudinary;
  return [...new Set([new URL(uploadUrl).origin, new URL(deliveryHome(uploadUrl)).origin])];
}

/** Under which address a cloud shows what was uploaded: Cloudinary's own host for it, else the same. */
function deliveryHome(uploadUrl: string): string {
  const { origin, hostname, pathname } = new URL(uploadUrl);
  const cloud = /^\/v1_1\/([^/]+)\//.exec(pathname)?.[1] ?? '';
  const host = /^api(-\w+)?\.cloudinary\.com$/.test(hostname)
    ? 'https://res.cloudinary.com'
    : origin;
  return `${host}/${cloud}/image/upload/`;
}

/** Only as the host writes it: no other spelling, query, fragment or step upwards. */
function isBelow(home: string, address: string): boolean {
  if (!address.startsWith(home) || address.length > LONGEST_ADDRESS) return false;
  const path = address.slice(home.length);
  return /^[\w.~%,:@+=/-]+$/.test(path) && new URL(address).href === address;
}

const ADOPTED = 'image-adopted';

/**
 * Says that these pictures belong to something, before it is said anywhere else: a crash in between
 * keeps a picture too many, never one too few. Addresses of other hosts are none of ours.
 */
export async function adoptPictures(
  state: State,
  references: readonly string[],
  now: number,
): Promise<void> {
  const ours = references.filter(isPictureName);
  await Promise.all(ours.map((name) => state.put(ADOPTED, name, {}, now)));
}

export async function isAdopted(state: State, name: string, now: number): Promise<boolean> {
  return (await state.get(ADOPTED, name, now)) !== null;
}
