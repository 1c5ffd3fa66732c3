import { limits } from '@oja/domain/rules';

export interface Picked {
  readonly taken: readonly File[];
  readonly tooLarge: boolean;
  readonly notPictures: boolean;
  /** More than there was room for. */
  readonly tooMany: boolean;
}

/** Tells the same file picked twice. */
export const markOf = (file: File) => `${file.name}/${file.size}/${file.lastModified}`;

/** Which of the picked files join those that are there already. */
export function choose(files: readonly File[], marks: readonly string[]): Picked {
  const seen = new Set(marks);
  const fresh = files.filter((file) => {
    const isNew = !seen.has(markOf(file));
    seen.add(markOf(file));
    return isNew;
  });
  const pictures = fresh.filter((file) => file.type.startsWith('image/'));
  const small = pictures.filter((file) => file.size <= limits.imageBytes.max);
  const room = Math.max(0, limits.images.max - marks.length);
  return {
    taken: small.slice(0, room),
    tooLarge: small.length < pictures.length,
    notPictures: pictures.length < fresh.length,
    tooMany: small.length > room,
  };
}
