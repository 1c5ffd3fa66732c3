import { businessNameKey } from '@oja/domain/rules';
import { v5 } from 'uuid';

/** Made once at random; ids of samples are derived under it, so that seeding again adds nothing. */
const NAMESPACE = '0b9d2f5e-5a0c-4a57-9d55-6c0f6c7b1e2a';

const derived = (...parts: readonly (string | number)[]) => v5(parts.join('/'), NAMESPACE);

/** A sample seller is the same in every seed that has them. */
export const sampleSellerId = (businessName: string) =>
  derived('seller', businessNameKey(businessName));

export type SampleKind = 'product' | 'order' | 'review';

/** `seeding` names a size and a seed: of another size, the same index is another thing. */
export const sampleId = (kind: SampleKind, seeding: string, index: number) =>
  derived(kind, seeding, index);

/** The command that made a stream's first events. */
export const sampleCommandId = (stream: string) => derived('command', stream);
