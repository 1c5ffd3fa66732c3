export { createImageHost, type ImageHost, type ImageHostOptions } from './image-host.js';
export type { DrawMissing } from './pictures.js';
export { LARGEST_FILE } from './upload.js';
