import { POSITION_WAIT_MS, type Position } from '@oja/platform';

const form = /^([A-Za-z0-9_-]{1,100})\.(\d{20})$/;

/** The log as this process sees it, with the read models that follow it. */
export interface Positions {
  readonly logId: string;
  head(): Promise<Position | null>;
  /** Waits until all these projections have passed the position; false when they have not in `timeoutMs`. */
  waitFor(projections: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
}

export const positionToken = (logId: string, position: Position): string => `${logId}.${position}`;

/** Reads the position from a token; null for a token of another log or any other text. */
export function readPosition(token: string | undefined, logId: string): Position | null {
  const match = form.exec(token ?? '');
  return match?.[1] === logId ? ((match[2] ?? '') as Position) : null;
}

/**
 * Waits until the projections have passed the position in the client's token; 'stale' after a time-out. A
 * token of another log, or beyond the head (after a restore from a backup), is ignored.
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
