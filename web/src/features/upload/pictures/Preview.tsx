import { TriangleAlert, X } from 'lucide-react';
import { Icon } from '../../../ui/Icon.js';
import type { DraftPicture } from '../draft/draft.js';
import { usePictureUrl } from './use-picture-url.js';

interface PreviewProps {
  readonly picture: DraftPicture;
  /** Counted from 1; the first is the title picture. */
  readonly place: number;
  readonly onRemove: () => void;
}

/** A picked picture; a press takes it away. */
export function Preview({ picture, place, onRemove }: PreviewProps) {
  const url = usePictureUrl(picture.id);
  return (
    <li>
      <button type="button" onClick={onRemove}>
        <span className="vh">Remove picture {place}</span>
        {url ? (
          <img src={url} alt="" width={320} height={320} />
        ) : (
          <span className="sk" aria-hidden="true" />
        )}
        <span className="rm">
          <Icon of={X} size="xs" />
        </span>
        {picture.failed && (
          <span className="tag bad">
            <Icon of={TriangleAlert} size="xs" />
            Not sent
          </span>
        )}
        {place === 1 && !picture.failed && <span className="tag">Title picture</span>}
      </button>
    </li>
  );
}
