import { ok, type QueryHandler, type Tools } from '../handler.js';

export const getSettings =
  ({ images, settings }: Tools): QueryHandler<'getSettings'> =>
  () => {
    const imageUpload = { url: images.uploadUrl, uploadPreset: images.uploadPreset };
    return ok({ imageUpload, ...settings });
  };
