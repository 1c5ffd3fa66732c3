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
