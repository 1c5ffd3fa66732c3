import { useEffect, useState } from 'react';
import { pictureOf } from '../draft/picture-files.js';

/** An address for a picked picture while it is shown; null when its bytes are gone. */
export function usePictureUrl(id: string): string | null | undefined {
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
