import { createHash } from 'node:crypto';
import type { JsonObject } from '../../eventstore/port.js';
import type { Picture } from './picture.js';

/** What Cloudinary answers to an upload, of a picture on Oja's own host. `now` in epoch milliseconds. */
export function uploadAnswer(
  picture: Picture,
  name: string,
  fileName: string,
  address: string,
  now: number,
): JsonObject {
  return {
    public_id: name.slice(0, name.lastIndexOf('.')),
    version: Math.floor(now / 1000),
    width: picture.width,
    height: picture.height,
    format: picture.extension,
    resource_type: 'image',
    created_at: new Date(now).toISOString(),
    tags: [],
    bytes: picture.bytes.length,
    type: 'upload',
    etag: createHash('md5').update(picture.bytes).digest('hex'),
    placeholder: false,
    url: address,
    secure_url: address,
    original_filename: fileName.replace(/\.[^.]*$/, ''),
  };
}
