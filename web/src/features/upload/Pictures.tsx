import { limits } from '@oja/domain/rules';
import { ArrowLeft, ArrowRight, Camera, TriangleAlert, X } from 'lucide-react';
import {
  type ChangeEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { IconButton } from '../../ui/Button.js';
import { Message } from '../../ui/Field.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import * as productCardStyles from '../../ui/ProductCard.module.css';
import { Skeleton } from '../../ui/Skeleton.js';
import * as skeletonStyles from '../../ui/Skeleton.module.css';
import { toast } from '../../ui/toast.js';
import {
  type Album,
  addFiles,
  type DraftPicture,
  insertPicture,
  TOO_MANY,
  trackEmptied,
  usePendingMarks,
} from './album.js';
import { draftAlbum, draftPictureIds } from './draft.js';
import * as styles from './Pictures.module.css';
import {
  deleteAbandonedPictures,
  deletePictures,
  loadPicture,
  savePicture,
} from './picture-files.js';
import * as uploadPageStyles from './UploadPage.module.css';

interface PicturesProps {
  readonly sellerId: string;
  readonly pictures: readonly DraftPicture[];
  readonly error: string | undefined;
}

/** The pictures of an upload. */
export function Pictures({ sellerId, pictures, error }: PicturesProps) {
  const id = useId();
  return (
    <section className={panelStyles.panel} aria-labelledby={id}>
      <h2 className={`${layout.heading} ${layout.atTop}`} id={id}>
        2. Pictures{' '}
        <em className={uploadPageStyles.needed} aria-hidden="true">
          *
        </em>
      </h2>
      <PicturePicker album={draftAlbum(sellerId)} pictures={pictures} error={error} />
    </section>
  );
}

interface PickerProps {
  readonly album: Album;
  /** The album's pictures, as rendered. */
  readonly pictures: readonly DraftPicture[];
  readonly error: string | undefined;
}

/** Picks two to six pictures, shows them and puts them in order. The first is the title picture. */
export function PicturePicker({ album, pictures, error }: PickerProps) {
  const id = useId();
  const pending = usePendingMarks(album);
  const [tooMany, setTooMany] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const remove = useRemovePicture(album, list);
  const { move, moved } = useMovePicture(album, list);
  useEffect(() => void deleteAbandonedPictures(draftPictureIds()), []);
  useDropLostPictures(album, pictures);
  const justPicked = useRef(false);
  const isFull = pictures.length === limits.images.max;
  // With the last picture, the field that had the focus is gone.
  useEffect(() => {
    if (!isFull || !justPicked.current) return;
    justPicked.current = false;
    if (document.activeElement === document.body)
      list.current?.querySelector<HTMLElement>(':scope > li:last-child > button')?.focus();
  }, [isFull]);

  const pick = (event: ChangeEvent<HTMLInputElement>) => {
    justPicked.current = true;
    const files = [...(event.target.files ?? [])];
    // Emptied, so that the same file can be picked again after it was removed.
    event.target.value = '';
    setTooMany(addFiles(album, files));
  };
  const picked = pictures.length + pending.length;
  const hint = hintFor(picked, tooMany);
  return (
    <>
      <p className={`${layout.muted} ${layout.small} ${styles.rule}`} id={`${id}-rule`}>
        {`Minimum ${limits.images.min} and maximum ${limits.images.max} images. The first is the title picture. Press a picture to remove it.`}
      </p>
      <ul className={styles.previews} ref={list}>
        {pictures.map((picture, i) => (
          <Preview
            key={picture.id}
            picture={picture}
            place={i + 1}
            of={pictures.length}
            onRemove={() => remove(picture, i)}
            onMove={(by) => move(picture, i, by)}
          />
        ))}
        {pending.map((mark) => (
          <li key={mark}>
            <Skeleton className={styles.coming} />
          </li>
        ))}
        {picked < limits.images.max && (
          <li>
            <label className={styles.add}>
              <input
                className={layout.visuallyHidden}
                type="file"
                accept="image/*"
                multiple
                aria-invalid={error === undefined ? undefined : true}
                aria-describedby={`${id}-rule ${id}-message`}
                onChange={pick}
              />
              <Icon of={Camera} size="l" />
              <span>Add picture</span>
              <small>any size</small>
            </label>
          </li>
        )}
      </ul>
      <div id={`${id}-message`} aria-live="polite">
        {error !== undefined && <Message kind="err">{error}</Message>}
        {hint !== undefined && <Message kind="hint">{hint}</Message>}
        <span className={layout.visuallyHidden}>{moved}</span>
        {/* Once all that were picked have come, so that it is said once. */}
        <span className={layout.visuallyHidden}>
          {pending.length === 0 &&
            pictures.length > 0 &&
            `${pictures.length} of ${limits.images.max} pictures chosen.`}
        </span>
      </div>
    </>
  );
}

function hintFor(count: number, tooMany: boolean): string | undefined {
  if (tooMany && count === limits.images.max) return TOO_MANY;
  const { min } = limits.images;
  return count > 0 && count < min ? `Please select at least ${min} images.` : undefined;
}

/** The browser may have cleared its database: a picture with neither stored bytes nor an address is dropped. */
function useDropLostPictures(album: Album, pictures: readonly DraftPicture[]): void {
  const drop = useEffectEvent((lost: ReadonlySet<string>) =>
    album.change((now) => now.filter(({ id }) => !lost.has(id))),
  );
  useEffect(() => {
    let isCancelled = false;
    const look = async () => {
      const lost = new Set<string>();
      for (const { id, address } of pictures)
        if (address === undefined && (await loadPicture(id)) === undefined) lost.add(id);
      if (isCancelled || lost.size === 0) return;
      toast.info('Your browser has lost some pictures. Choose them again.');
      drop(lost);
    };
    void look();
    return () => {
      isCancelled = true;
    };
  }, [pictures]);
}

interface PreviewProps {
  readonly picture: DraftPicture;
  /** Counted from 1; the first is the title picture. */
  readonly place: number;
  readonly of: number;
  readonly onRemove: () => void;
  readonly onMove: (by: -1 | 1) => void;
}

/** A picked picture. A press removes it; the arrows below move it. */
function Preview({ picture, place, of, onRemove, onMove }: PreviewProps) {
  const url = usePictureUrl(picture);
  return (
    <li>
      {/* The second click of a double click would remove the picture that has moved here. */}
      <button type="button" onClick={({ detail }) => detail > 1 || onRemove()}>
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
      {of > 1 && (
        <div className={styles.moves}>
          <IconButton
            of={ArrowLeft}
            label={`Move picture ${place} forward`}
            aria-disabled={place === 1 || undefined}
            onClick={() => place > 1 && onMove(-1)}
          />
          <IconButton
            of={ArrowRight}
            label={`Move picture ${place} back`}
            aria-disabled={place === of || undefined}
            onClick={() => place < of && onMove(1)}
          />
        </div>
      )}
    </li>
  );
}

type List = RefObject<HTMLUListElement | null>;

/** Removes a picture with one press and an Undo. The focus moves to the picture that took its place. */
function useRemovePicture(album: Album, list: List) {
  const removedAt = useRef<number>(null);
  useEffect(() => {
    const place = removedAt.current;
    if (place === null) return;
    removedAt.current = null;
    const pressable = ':scope > li > button, :scope > li input';
    list.current?.querySelectorAll<HTMLElement>(pressable)[place]?.focus();
  });

  return (picture: DraftPicture, place: number) => {
    const kept = loadPicture(picture.id);
    const isEmptied = trackEmptied(album);
    removedAt.current = place;
    album.change((now) => now.filter(({ id }) => id !== picture.id));
    deletePictures([picture.id]);
    const undo = async () => {
      const bytes = await kept;
      if (bytes !== undefined) await savePicture(picture.id, bytes);
      // Its product may be sent by now, or the pictures unticked: there is nothing to put it back into.
      if (isEmptied()) deletePictures([picture.id]);
      else if (bytes !== undefined || picture.listed) insertPicture(album, picture, place);
    };
    toast.info(`Picture ${place + 1} was removed.`, {
      action: { label: 'Undo', onPress: () => void undo() },
    });
  };
}

/** Moves a picture by one place. The focus moves with it, and screen readers hear its new place. */
function useMovePicture(album: Album, list: List) {
  const [moved, setMoved] = useState('');
  const movedTo = useRef<{ readonly place: number; readonly by: -1 | 1 }>(null);
  useEffect(() => {
    if (movedTo.current === null) return;
    const { place, by } = movedTo.current;
    movedTo.current = null;
    const arrows = list.current?.children[place]?.querySelectorAll<HTMLElement>('div > button');
    arrows?.[by === -1 ? 0 : 1]?.focus();
  });

  const move = (picture: DraftPicture, from: number, by: -1 | 1) => {
    const place = from + by;
    movedTo.current = { place, by };
    setMoved(
      `Picture ${from + 1} is picture ${place + 1} now${place === 0 ? ', the title picture' : ''}.`,
    );
    album.change((now) => {
      const others = now.filter(({ id }) => id !== picture.id);
      return [...others.slice(0, place), picture, ...others.slice(place)];
    });
  };
  return { move, moved };
}

/** The URL of a picture while it is shown: undefined while its bytes load, null when they are gone. */
function usePictureUrl({ id, listed, address }: DraftPicture): string | null | undefined {
  const [url, setUrl] = useState<string | null | undefined>(listed && address);
  useEffect(() => {
    if (listed) return;
    let isCancelled = false;
    let made: string | undefined;
    void loadPicture(id).then((picture) => {
      if (isCancelled) return;
      made = picture && URL.createObjectURL(picture);
      setUrl(made ?? null);
    });
    return () => {
      isCancelled = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [id, listed]);
  return url;
}
