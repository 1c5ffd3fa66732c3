import sharp from 'sharp';

/** A JPEG of one colour. */
export const picture = (color: string): Promise<Buffer> =>
  sharp({ create: { width: 800, height: 800, channels: 3, background: color } })
    .jpeg()
    .toBuffer();

/** An upright phone photo: 12 megapixels of noise (12 to 15 MB), stored sideways with a tag. */
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
