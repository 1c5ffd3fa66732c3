import { limits } from '@oja/domain/rules';
import { Camera } from 'lucide-react';
import { type ChangeEvent, useEffect, useId } from 'react';
import { Message } from '../../../ui/Field.js';
import { Icon } from '../../../ui/Icon.js';
import { Skeleton } from '../../../ui/Skeleton.js';
import { toast } from '../../../ui/toast.js';
import type { DraftPicture } from '../draft/draft.js';
import { pictureOf } from '../draft/picture-files.js';
import { changeDraft } from '../draft/store.js';
import { Preview } from './Preview.js';
import { usePicking } from './use-picking.js';
import { useRemoving } from './use-removing.js';

interface PicturesProps {
  readonly sellerId: string;
  readonly pictures: readonly DraftPicture[];
  readonly error: string | undefined;
}

/** Picks two to six pictures and shows them; the first is the title picture. */
export function Pictures({ sellerId, pictures, error }: PicturesProps) {
  const id = useId();
  const { pick, coming, tooMany } = usePicking(sellerId);
  const { list, remove } = useRemoving(sellerId);
  useDropLost(sellerId, pictures);

  const picked = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])];
    // The same file can be picked again after it was taken away.
    event.target.value = '';
    void pick(files);
  };
  const hint = hintFor(pictures.length, tooMany);
  return (
    <section className="panel" aria-labelledby={`${id}-title`}>
      <h2 className="h3 first" id={`${id}-title`}>
        2. Pictures{' '}
        <em className="star" aria-hidden="true">
          *
        </em>
      </h2>
      <p className="muted small underhead" id={`${id}-rule`}>
        Minimum 2 and maximum 6 images. The first is the title picture. Press a picture to remove
        it.
      </p>
      <ul className="previews" ref={list}>
        {pictures.map((picture, i) => (
          <Preview
            key={picture.id}
            picture={picture}
            place={i + 1}
            onRemove={() => remove(picture, i)}
          />
        ))}
        {Array.from({ length: coming }, (_, i) => `coming-${i}`).map((key) => (
          <li key={key}>
            <Skeleton className="coming" />
          </li>
        ))}
        {pictures.length + coming < limits.images.max && (
          <li>
            <label className="addpic">
              <input
                className="vh"
                type="file"
                accept="image/*"
                multiple
                aria-invalid={error === undefined ? undefined : true}
                aria-describedby={`${id}-rule ${id}-message`}
                onChange={picked}
              />
              <Icon of={Camera} size="l" />
              <span>Add picture</span>
              <small>up to 5 MB</small>
            </label>
          </li>
        )}
      </ul>
      <div id={`${id}-message`} aria-live="polite">
        {error !== undefined && <Message kind="err">{error}</Message>}
        {hint !== undefined && <Message kind="hint">{hint}</Message>}
      </div>
    </section>
  );
}

function hintFor(count: number, tooMany: boolean): string | undefined {
  if (tooMany && count === limits.images.max) return 'You can only upload up to 6 images.';
  return count > 0 && count < limits.images.min ? 'Please select at least 2 images.' : undefined;
}

/** The browser may have cleared its database: what has neither bytes nor address is no picture any more. */
function useDropLost(sellerId: string, pictures: readonly DraftPicture[]): void {
  useEffect(() => {
    let over = false;
    const look = async () => {
      const lost = new Set<string>();
      for (const { id, address } of pictures)
        if (address === undefined && (await pictureOf(id)) === undefined) lost.add(id);
      if (over || lost.size === 0) return;
      toast.info('Your browser let go of some pictures. Pick them again.');
      changeDraft(sellerId, (draft) => ({
        ...draft,
        pictures: draft.pictures.filter(({ id }) => !lost.has(id)),
      }));
    };
    void look();
    return () => {
      over = true;
    };
  }, [sellerId, pictures]);
}
