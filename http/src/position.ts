import { POSITION_WAIT_MS, type Position } from '@oja/platform';

const form = /^([A-Za-z0-9_-]{1,100})\.(\d{20})$/;

/** The log as this process sees it, and the read models that follow it. */
export interface Positions {
  readonly logId: string;
  head(): Promise<Position | null>;
  /** Whether all of these projections have passed the position within the time. */
  waitFor(projections: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
}

export const positionToken = (logId: string, position: Position): string => `${logId}.${position}`;

/** The position of a token of this log; null for any other text. */
export function readPosition(token: string | undefined, logId: string): Position | null {
  const match = form.exec(token ?? '');
  return match?.[1] === logId ? ((match[2] ?? '') as Position) : null;
}

/**
 * Waits until the projections have seen what the client has seen. 'stale' when they have not in time.
 * A token of another log, or from beyond the head (a restored log), is nobody's and is ignored.
 */
export async function awaitPosition(
  token: string | undefined,
  projections: readonly string[],
  positions: Positions,
): Promise<'fresh' | 'stale'> {
  const position = readPosition(token, positions.logId);
  if (position === null || projections.length === 0) return 'fresh';
  if (await positions.waitFor(projections, position, 0)) return 'fresh';
  const head = await positions.head();
  if (head === null || position > head) return 'fresh';
  return (await positions.waitFor(projections, position, POSITION_WAIT_MS)) ? 'fresh' : 'stale';
}
