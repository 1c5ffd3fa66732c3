import { NoRoom, StoreUnavailable } from '../eventstore/port.js';
import { ReadModelMissing } from '../readmodels/reader.js';

/** Between two lines of one outage, in milliseconds. */
const EVERY_MS = 60_000;
/** Longer than the longest pause of what tries again by itself: what has not failed for so long does not fail. */
const QUIET_MS = 15_000;

type Level = 'warn' | 'error';
type Tell = (level: Level, fields: object, message: string) => void;

/** An engine that fails, from its first failure on. */
interface Outage {
  readonly reason: string;
  readonly began: number;
  /** The gravest of its lines. */
  level: Level;
  toldAt: number;
  lastAt: number;
  /** Failures since it began by what could not be done, those of the first line among them. */
  readonly failures: Map<string, number>;
  /** Whether some of them were not told of: since the last line, and at all. */
  isUntold: boolean;
  wasUntold: boolean;
  /** Null: it is for good until the process is started again. */
  readonly quiet: NodeJS.Timeout | null;
}

export interface Outages {
  /**
   * Whether a line is not to be written, since it tells of a failure that is known. `what`: its message, which stands in
   * the count.
   */
  withholds(level: Level, error: unknown, what: string): boolean;
  /** Tells of what was not told yet, and forgets all. */
  end(): void;
}

const isEngineFailure = (error: unknown): error is Error =>
  error instanceof StoreUnavailable || error instanceof ReadModelMissing;

/** Messages begin with the engine's name and differ in what it was asked for. A full disk is one, whatever file is on it. */
const engineOf = (error: Error): string =>
  error instanceof NoRoom ? error.name : `${error.name} ${error.message.split(' ', 1)[0]}`;

/**
 * Makes of an engine's failures, which whoever needs it meets again and again, one line at the first, one with a count
 * every minute, and one when they have ended. All who fail at the same engine fail for the same reason.
 */
export function createOutages(
  tell: Tell,
  everyMs = EVERY_MS,
  quietMs = QUIET_MS,
  now: () => number = () => performance.now(),
): Outages {
  const outages = new Map<string, Outage>();

  function say({ level, reason, began, lastAt, failures }: Outage, message: string): void {
    const seconds = Math.round((lastAt - began) / 100) / 10;
    tell(level, { error: reason, seconds, failures: Object.fromEntries(failures) }, message);
  }

  function begin(engine: string, level: Level, error: Error, what: string): void {
    const isForGood = error instanceof StoreUnavailable && error.permanent;
    const at = now();
    const outage: Outage = {
      reason: error.message,
      level,
      ...{ began: at, toldAt: at, lastAt: at, isUntold: false, wasUntold: false },
      failures: new Map([[what, 1]]),
      quiet: isForGood ? null : setTimeout(() => over(engine), quietMs).unref(),
    };
    outages.set(engine, outage);
  }

  function over(engine: string): void {
    const outage = outages.get(engine);
    outages.delete(engine);
    // What has failed once and was told is no outage.
    if (outage?.wasUntold) say({ ...outage, level: 'warn' }, 'an engine has stopped failing');
  }

  return {
    withholds(level, error, what) {
      if (!isEngineFailure(error)) return false;
      const engine = engineOf(error);
      const outage = outages.get(engine);
      if (outage === undefined) {
        begin(engine, level, error, what);
        return false;
      }
      outage.quiet?.refresh();
      outage.lastAt = now();
      outage.isUntold = true;
      outage.wasUntold = true;
      if (level === 'error') outage.level = level;
      outage.failures.set(what, (outage.failures.get(what) ?? 0) + 1);
      if (outage.lastAt - outage.toldAt >= everyMs) {
        outage.toldAt = outage.lastAt;
        outage.isUntold = false;
        say(outage, 'an engine still fails');
      }
      return true;
    },
    end() {
      for (const outage of outages.values()) {
        if (outage.quiet !== null) clearTimeout(outage.quiet);
        if (outage.isUntold) say(outage, 'an engine still fails');
      }
      outages.clear();
    },
  };
}
