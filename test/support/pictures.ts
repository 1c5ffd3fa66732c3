import sharp from 'sharp';

/** A real picture of one colour. */
export const picture = (color: string): Promise<Buffer> =>
  sharp({ create: { width: 800, height: 800, channels: 3, background: color } })
    .jpeg()
    .toBuffer();
