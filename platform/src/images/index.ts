export { createImages, type ImagesOptions, imageOriginsOf } from './client.js';
export { adoptPictures, isAdopted } from './host/adopted.js';
export { createImageHost, type ImageHost, type ImageHostOptions } from './host/image-host.js';
export type { DrawMissing } from './host/pictures.js';
export { LARGEST_FILE } from './host/receive.js';
export { isPictureName, UPLOAD_PATH, UPLOAD_PRESET, VIEW_PATH, WIDTHS } from './names.js';
export type * from './port.js';
