import sharp from 'sharp';

/** A real picture of one colour. */
export const picture = (color: string): Promise<Buffer> =>
  sharp({ create: { width: 800, height: 800, channels: 3, background: color } })
    .jpeg()
    .toBuffer();

/** As a phone's camera makes one, held upright: twelve megapixels that compress badly, 12 to 15 MB, lying on their side. */
export const phonePhoto = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 4_032,
      height: 3_024,
      channels: 3,
      background: 'gray',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 98 })
    .toBuffer();
