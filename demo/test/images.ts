import type { Images } from '@oja/platform';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';

/** A photograph as a phone takes it: noisy, lying on its side, with the place in its EXIF. */
export function photo(width: number, height: number, format: 'jpeg' | 'png' | 'webp' = 'jpeg') {
  return sharp({
    create: { width, height, channels: 3, background: '#24357e', noise: noise },
  })
    .withExif({ IFD0: { Copyright: 'Somewhere in Nsukka' } })
    .withMetadata({ orientation: 6 })
    .toFormat(format)
    .toBuffer();
}
const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;

/** What every host behind the port does. */
export function imagesContract(name: string, images: () => Images, strangers: string[]): void {
  describe(`images over ${name}`, () => {
    test.each(['jpeg', 'png', 'webp'] as const)(
      'an uploaded %s can be seen at its address',
      async (format) => {
        const address = await images().upload(await photo(80, 60, format), 'bag.jpg');
        const response = await fetch(address);
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toBe(`image/${format}`);
        const seen = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
        expect(seen).toMatchObject({ format, width: 60, height: 80 });
      },
    );

    test('the reference of an address leads back to it', async () => {
      const address = await images().upload(await photo(8, 8), 'bag.jpg');
      const reference = images().reference(address);
      expect(reference).not.toBeNull();
      expect(images().address(reference ?? '')).toBe(address);
    });

    test.each(strangers)('%s is nobody’s picture here', (address) => {
      expect(images().reference(address)).toBeNull();
    });

    test('what is no picture is not taken', async () => {
      await expect(images().upload(Buffer.from('hello'), 'bag.jpg')).rejects.toThrow('bag.jpg');
    });
  });
}
