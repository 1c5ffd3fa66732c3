import type { ComponentProps } from 'react';

type PictureProps = Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'loading' | 'height'> & {
  readonly url: string | undefined;
  readonly alt: string;
  /** The edge in px of the square that the picture fills. */
  readonly width?: number;
  /** The picture is in sight at once: loaded with high priority instead of lazily. */
  readonly eager?: boolean;
};

/** A product picture with a fixed ratio, in the size that the screen needs. */
export function Picture({ url, alt, width = 320, eager = false, ...rest }: PictureProps) {
  const sources = url === undefined ? {} : pictureSources(url);
  return (
    <img
      {...rest}
      {...sources}
      alt={alt}
      width={width}
      height={width}
      decoding="async"
      loading={eager ? 'eager' : 'lazy'}
      {...(eager && { fetchPriority: 'high' as const })}
    />
  );
}

/** Widths in px that the image host keeps ready. */
const widths = [320, 640] as const;

interface Sources {
  readonly src: string;
  readonly srcSet?: string;
}

/** The same picture in several widths, if its host can make them: Oja's own host by `?w=`, Cloudinary by the path. */
function pictureSources(url: string): Sources {
  const at = sizedUrl(url);
  if (at === undefined) return { src: url };
  return { src: at(320), srcSet: widths.map((w) => `${at(w)} ${w}w`).join(', ') };
}

function sizedUrl(url: string): ((width: number) => string) | undefined {
  if (/\/v1\/image\/[^/?#]+$/.test(url)) return (w) => `${url}?w=${w}`;
  const cloudinary = /^(https:\/\/res\.cloudinary\.com\/[^/]+\/image\/upload\/)(.+)$/.exec(url);
  if (cloudinary === null) return undefined;
  const [, host, rest] = cloudinary;
  return (w) => `${host}f_auto,q_auto,c_limit,w_${w}/${rest}`;
}
