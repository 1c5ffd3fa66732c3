import { useQuery } from '@tanstack/react-query';
import { productImagesQuery } from '../../../api/admin.js';
import { ApiError } from '../../../api/error.js';
import { Message } from '../../../ui/Field.js';
import { Picture } from '../../../ui/Picture.js';

interface ProductPicturesProps {
  readonly productId: string;
  readonly name: string;
}

/** All pictures of an ordered product, so that an admin sees what was sold. */
export function ProductPictures({ productId, name }: ProductPicturesProps) {
  const { data, error } = useQuery(productImagesQuery(productId));
  if (error instanceof ApiError && error.status === 404) return <NoImage />;
  if (error !== null) return <Message kind="err">Error fetching product image</Message>;
  if (data === undefined) return null;
  if (data.length === 0) return <NoImage />;
  return (
    <ul className="linepics" aria-label={`Pictures of ${name}`}>
      {data.map((url, i) => (
        <li key={url}>
          <Picture url={url} alt={`${name}, picture ${i + 1}`} width={72} sizes="72px" />
        </li>
      ))}
    </ul>
  );
}

function NoImage() {
  return <Message kind="hint">No image with that product_id</Message>;
}
