import type { CommandContext } from '@oja/platform';
import { v5 } from 'uuid';

/** The part of a request that a command is made from. */
interface Asked {
  readonly commandId: string;
  readonly correlationId: string;
}

/** Who asks, in metadata. */
export { sellerActor } from '@oja/domain';
/** Somebody who is not signed in. */
export const VISITOR = 'visitor';

/**
 * An id that follows from the command: of a new aggregate, or of one of several commands that a
 * request makes. A repeated request ends at the same ones.
 */
export const derivedId = (commandId: string, part: string): string => v5(part, commandId);

/** What goes into the metadata of the events that a request causes. */
export const contextOf = ({ commandId, correlationId }: Asked, actor: string): CommandContext => ({
  actor,
  commandId,
  correlationId,
  causationId: correlationId,
});
