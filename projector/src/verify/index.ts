export { type CompareOptions, type Comparison, compare, type Difference } from './compare.js';
export {
  type CleanCopy,
  type CopyOptions,
  CopyPoisoned,
  createCleanCopy,
  type Place,
} from './copy.js';
export { type RepairResult, repair } from './repair.js';
export { copySide, generationSide, type Moment, type Side } from './side.js';
