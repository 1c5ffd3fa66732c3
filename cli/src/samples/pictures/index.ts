export { drawSample, SAMPLE_SIDE } from './draw.js';
export { parsePictureName, pictureName, type SamplePicture } from './names.js';
