export { createImages, type ImagesOptions, imageOriginsOf } from './client.js';
export {
  createImageHost,
  type ImageHost,
  type ImageHostOptions,
} from './host/image-host.js';
export type { DrawMissing } from './host/pictures.js';
export { LARGEST_FILE } from './host/upload.js';
export { adoptPictures, isAdopted } from './host/upload-records.js';
export { isPictureName, UPLOAD_PATH, UPLOAD_PRESET, VIEW_PATH, WIDTHS } from './names.js';
export type * from './port.js';
