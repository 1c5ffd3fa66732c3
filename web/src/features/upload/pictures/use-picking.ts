import { limits } from '@oja/domain/rules';
import { useState } from 'react';
import { clickKey } from '../../../api/key.js';
import { toast } from '../../../ui/toast.js';
import { keepPicture } from '../draft/picture-files.js';
import { changeDraft, draftOf } from '../draft/store.js';
import { choose, markOf, type Picked } from './pick.js';
import { shrink } from './shrink.js';

function sayWhatWasLeft({ tooLarge, notPictures, tooMany }: Picked): void {
  if (tooLarge) toast.error('Maximum allowed size is 5 MB.', { title: 'File too large' });
  if (notPictures) toast.error('Only images can be added.');
  if (tooMany)
    toast.error('You can only upload up to 6 images.', {
      title: `Maximus number of file is ${limits.images.max}.`,
    });
}

async function take(sellerId: string, file: File): Promise<void> {
  const picture = await shrink(file);
  if (picture === undefined) {
    toast.error(`${file.name} cannot be read as a picture.`);
    return;
  }
  const id = clickKey();
  await keepPicture(id, picture);
  changeDraft(sellerId, (draft) => ({
    ...draft,
    pictures: [...draft.pictures, { id, mark: markOf(file) }].slice(0, limits.images.max),
  }));
}

/** Takes picked files into the draft, each made smaller. */
export function usePicking(sellerId: string) {
  /** Those that are still being made smaller. */
  const [coming, setComing] = useState(0);
  const [tooMany, setTooMany] = useState(false);

  const pick = async (files: readonly File[]) => {
    const marks = draftOf(sellerId).pictures.map(({ mark }) => mark);
    const picked = choose(files, marks);
    sayWhatWasLeft(picked);
    setTooMany(picked.tooMany);
    setComing(picked.taken.length);
    for (const file of picked.taken) {
      await take(sellerId, file);
      setComing((left) => left - 1);
    }
  };
  return { pick, coming, tooMany };
}
