export {
  isSettled,
  isWaitingForReceiver,
  letterSubject,
  readLettersOfOrder,
  readRetryState,
  suppressLetter,
  suppressLetters,
} from './mail/letter-state.js';
export { noticesToMail } from './mail/seller-news.js';
export { readMailOutage } from './mail/server-answers.js';
export { createLetters, type Letters } from './mail/service.js';
export { modelErrors } from './operations/errors.js';
export { recordOperation } from './operations/records.js';
export { projections } from './projections/index.js';
export { isBalanced } from './projections/ledger/postings.js';
export { createProjector, type Projector } from './projector.js';
export { createPushes, type Pushes } from './push/push-sender.js';
export {
  declareImported,
  endImportDeclaration,
  hasImportDeclaration,
  reactionCheckpoint,
  skipReactionsTo,
} from './reactions/checkpoint.js';
export type { Reaction } from './reactions/reactions.js';
export { findAddedJobs, push, reactions } from './reactions/reactions.js';
export { type Poison, parkedId } from './runner/batch.js';
export { type CatchUpOptions, catchUp } from './runner/catch-up.js';
export {
  type Cleaned,
  dropVersion,
  otherVersions,
  removeOldGenerations,
} from './runner/clean.js';
export { beginRebuild, rollback, type SwitchResult, switchTo } from './runner/generations.js';
export { checkpointOf, PointerContended, pointerOf } from './runner/pointer.js';
export type { Change, Collections, Fact, Key, Loaded, Projection } from './runner/projection.js';
export { type ReleaseOptions, type ReleaseResult, releaseStream } from './runner/quarantine.js';
export { type RebuildOptions, type RebuildResult, runRebuild } from './runner/rebuild.js';
export type { ProjectionStatus, ProjectorStatus } from './runner/status.js';
export {
  LAG_COUNTED,
  type Lag,
  type StoredGeneration,
  storedStatus,
} from './runner/status.js';
export {
  type ComparedModel,
  type Comparison,
  compare,
  comparedCopy,
  comparedGeneration,
  type Difference,
} from './verify/compare.js';
export {
  type CleanCopy,
  CopyPoisoned,
  createCleanCopy,
  type DocumentPlace,
} from './verify/copy.js';
export { repair } from './verify/repair.js';
