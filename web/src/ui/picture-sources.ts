/** Widths in px that the image host keeps ready. */
const widths = [320, 640] as const;

interface Sources {
  readonly src: string;
  readonly srcSet?: string;
}

/** The same picture in several widths, where its host can make them: Oja's own by `?w=`, Cloudinary by its path. */
export function pictureSources(url: string): Sources {
  const at = sized(url);
  if (at === undefined) return { src: url };
  return { src: at(320), srcSet: widths.map((w) => `${at(w)} ${w}w`).join(', ') };
}

function sized(url: string): ((width: number) => string) | undefined {
  if (/\/v1\/image\/[^/?#]+$/.test(url)) return (w) => `${url}?w=${w}`;
  const cloudinary = /^(https:\/\/res\.cloudinary\.com\/[^/]+\/image\/upload\/)(.+)$/.exec(url);
  if (cloudinary === null) return undefined;
  const [, host, rest] = cloudinary;
  return (w) => `${host}f_auto,q_auto,c_limit,w_${w}/${rest}`;
}
