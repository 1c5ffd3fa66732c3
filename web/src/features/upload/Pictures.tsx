import { limits } from '@oja/domain/rules';
import { Camera, TriangleAlert, X } from 'lucide-react';
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';
import { clickKey } from '../../api/client.js';
import { Message } from '../../ui/Field.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import * as productCardStyles from '../../ui/ProductCard.module.css';
import { Skeleton } from '../../ui/Skeleton.js';
import * as skeletonStyles from '../../ui/Skeleton.module.css';
import { toast } from '../../ui/toast.js';
import { changeDraft, type DraftPicture, draftOf } from './draft.js';
import * as styles from './Pictures.module.css';
import {
  choose,
  forgetPictures,
  keepPicture,
  markOf,
  type Picked,
  pictureOf,
  shrink,
} from './picture-files.js';
import * as uploadPageStyles from './UploadPage.module.css';

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
    <section className={panelStyles.panel} aria-labelledby={`${id}-title`}>
      <h2 className={`${layout.heading} ${layout.atTop}`} id={`${id}-title`}>
        2. Pictures{' '}
        <em className={uploadPageStyles.needed} aria-hidden="true">
          *
        </em>
      </h2>
      <p className={`${layout.muted} ${layout.small} ${styles.rule}`} id={`${id}-rule`}>
        Minimum 2 and maximum 6 images. The first is the title picture. Press a picture to remove
        it.
      </p>
      <ul className={styles.previews} ref={list}>
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
            <Skeleton className={styles.coming} />
          </li>
        ))}
        {pictures.length + coming < limits.images.max && (
          <li>
            <label className={styles.add}>
              <input
                className={layout.visuallyHidden}
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

interface PreviewProps {
  readonly picture: DraftPicture;
  /** Counted from 1; the first is the title picture. */
  readonly place: number;
  readonly onRemove: () => void;
}

/** A picked picture; a press takes it away. */
function Preview({ picture, place, onRemove }: PreviewProps) {
  const url = usePictureUrl(picture.id);
  return (
    <li>
      <button type="button" onClick={onRemove}>
        <span className={layout.visuallyHidden}>Remove picture {place}</span>
        {url ? (
          <img src={url} alt="" width={320} height={320} />
        ) : (
          <span className={skeletonStyles.skeleton} aria-hidden="true" />
        )}
        <span className={styles.remove}>
          <Icon of={X} size="xs" />
        </span>
        {picture.failed && (
          <span className={`${productCardStyles.tag} ${styles.failed}`}>
            <Icon of={TriangleAlert} size="xs" />
            Not sent
          </span>
        )}
        {place === 1 && !picture.failed && (
          <span className={productCardStyles.tag}>Title picture</span>
        )}
      </button>
    </li>
  );
}

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
function usePicking(sellerId: string) {
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
function useRemoving(sellerId: string) {
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

/** An address for a picked picture while it is shown; null when its bytes are gone. */
function usePictureUrl(id: string): string | null | undefined {
  const [url, setUrl] = useState<string | null>();
  useEffect(() => {
    let over = false;
    let made: string | undefined;
    void pictureOf(id).then((picture) => {
      if (over) return;
      made = picture && URL.createObjectURL(picture);
      setUrl(made ?? null);
    });
    return () => {
      over = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [id]);
  return url;
}
