export { createImageHost, type ImageHost } from './image-host.js';
