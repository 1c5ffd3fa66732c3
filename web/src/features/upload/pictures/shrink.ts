/** The longer edge of a sent picture, in px: more than any screen shows of goods. */
export const LONGEST_EDGE = 1_600;
const QUALITY = 0.85;

/** The size within the longest edge, of the same shape; small pictures keep theirs. */
export function fitted(width: number, height: number): readonly [width: number, height: number] {
  const scale = Math.min(1, LONGEST_EDGE / Math.max(width, height));
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}

/**
 * Makes a picture smaller before it is sent: minutes become seconds on a slow network, and what the camera noted
 * beside the picture, such as the place, stays on the phone.
 * @returns a JPEG; undefined when the browser cannot read the file as a picture
 */
export async function shrink(file: Blob): Promise<Blob | undefined> {
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(file);
  } catch {
    return undefined;
  }
  const [width, height] = fitted(picture.width, picture.height);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) return undefined;
  context.imageSmoothingQuality = 'high';
  // JPEG knows no transparency: what was clear becomes white, not black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(picture, 0, 0, width, height);
  picture.close();
  return new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/jpeg', QUALITY);
  });
}
