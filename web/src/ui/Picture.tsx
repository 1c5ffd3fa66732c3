import type { ComponentProps } from 'react';
import { pictureSources } from './picture-sources.js';

type PictureProps = Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'loading'> & {
  readonly url: string | undefined;
  readonly alt: string;
  /** Width and height in px of the box it fills, square unless said otherwise. */
  readonly width?: number;
  readonly height?: number;
  /** In sight at once: loaded first instead of when it comes near. */
  readonly eager?: boolean;
};

/** A picture of goods with a fixed ratio and the size that the screen needs. */
export function Picture({
  url,
  alt,
  width = 320,
  height = width,
  eager = false,
  ...rest
}: PictureProps) {
  const sources = url === undefined ? {} : pictureSources(url);
  return (
    <img
      {...rest}
      {...sources}
      alt={alt}
      width={width}
      height={height}
      decoding="async"
      loading={eager ? 'eager' : 'lazy'}
      {...(eager && { fetchPriority: 'high' as const })}
    />
  );
}
