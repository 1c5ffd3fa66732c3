export { forgoContact, forgoLetters, forgoMoneyLetter } from './mail/forgo.js';
export { isSettled, laterOf } from './mail/sent.js';
export { createLetters, type Letters, type LettersOptions } from './mail/service.js';
export { type ModelError, modelErrors } from './operations/errors.js';
export { type RecordOptions, type RecordResult, recordOperation } from './operations/record.js';
export { projections } from './projections/index.js';
export { isBalanced } from './projections/ledger/accounts.js';
export {
  createProjector,
  type Projector,
  type ProjectorOptions,
} from './projector.js';
export { createPushSender, type PushSenderOptions, type SendPush } from './push/sender.js';
export { createPushes, type Pushes, type PushesOptions } from './push/service.js';
export {
  endPassingOver,
  isPassingOver,
  passOver,
  type ReactionCheckpoint,
  reactionCheckpoint,
  skipReactionsTo,
} from './reactions/checkpoint.js';
export { push } from './reactions/push.js';
export type { JobRequest, Reaction } from './reactions/reaction.js';
export { reactions } from './reactions/reactions.js';
export type { Poison } from './runner/batch.js';
export { type CatchUpOptions, catchUp } from './runner/catchUp.js';
export { type Cleaned, clean, dropVersion, otherVersions } from './runner/clean.js';
export { everyOne } from './runner/findAll.js';
export { beginRebuild, rollback, type SwitchResult, switchTo } from './runner/generations.js';
export { LAG_COUNTED, type Lag, lagOf } from './runner/lag.js';
export { checkpointOf, PointerContended, pointerOf } from './runner/pointer.js';
export type { Change, Collections, Fact, Key, Loaded, Projection } from './runner/projection.js';
export { type ReleaseOptions, type ReleaseResult, releaseStream } from './runner/quarantine.js';
export { type RebuildOptions, type RebuildResult, runRebuild } from './runner/rebuild.js';
export type { ProjectionStatus, ProjectorStatus } from './runner/status.js';
export { type StoredGeneration, storedStatus } from './runner/stored.js';
export * from './verify/index.js';
