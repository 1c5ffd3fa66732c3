import { limits } from '@oja/domain/rules';
import { useEffect, useRef } from 'react';
import { toast } from '../../../ui/toast.js';
import type { DraftPicture } from '../draft/draft.js';
import { forgetPictures, keepPicture, pictureOf } from '../draft/picture-files.js';
import { changeDraft } from '../draft/store.js';

/** Puts a picture back where it was; where it cannot be, because there are six again, it stays away. */
async function putBack(sellerId: string, picture: DraftPicture, place: number, bytes: Blob) {
  await keepPicture(picture.id, bytes);
  changeDraft(sellerId, (draft) => ({
    ...draft,
    pictures: [...draft.pictures.slice(0, place), picture, ...draft.pictures.slice(place)].slice(
      0,
      limits.images.max,
    ),
  }));
}

/** Takes pictures out of the draft: one press, with Undo. The focus stays in the list, on what came into its place. */
export function useRemoving(sellerId: string) {
  const list = useRef<HTMLUListElement>(null);
  const removedAt = useRef<number>(null);
  useEffect(() => {
    const place = removedAt.current;
    if (place === null) return;
    removedAt.current = null;
    list.current?.querySelectorAll<HTMLElement>('button, input')[place]?.focus();
  });

  const remove = (picture: DraftPicture, place: number) => {
    const kept = pictureOf(picture.id);
    removedAt.current = place;
    changeDraft(sellerId, (draft) => ({
      ...draft,
      pictures: draft.pictures.filter(({ id }) => id !== picture.id),
    }));
    forgetPictures([picture.id]);
    const undo = async () => {
      const bytes = await kept;
      if (bytes !== undefined) await putBack(sellerId, picture, place, bytes);
    };
    toast.info(`Picture ${place + 1} was removed.`, {
      action: { label: 'Undo', onPress: () => void undo() },
    });
  };
  return { list, remove };
}
