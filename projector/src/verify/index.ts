export {
  type Comparison,
  compare,
  copySide,
  type Difference,
  generationSide,
  type Side,
} from './compare.js';
export { type CleanCopy, CopyPoisoned, createCleanCopy, type Place } from './copy.js';
export { repair } from './repair.js';
