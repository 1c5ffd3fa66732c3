export { generateSamples } from './generate.js';
export { SAMPLE_PASSWORD } from './goods/sellers.js';
export { drawSample, parsePictureName, SAMPLE_SIDE } from './pictures/index.js';
export type {
  SampleBuyer,
  SampleOrder,
  SampleOrderLine,
  SampleOutcome,
  SamplePlace,
  SampleProduct,
  SampleReview,
  SampleSeller,
  SampleSize,
  Samples,
} from './types.js';
