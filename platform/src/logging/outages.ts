import { NoRoom, StoreUnavailable } from '../eventstore/port.js';
import { messageOf } from '../message-of.js';
import { ReadModelMissing } from '../readmodels/reader.js';

/** Time between two log lines about one outage, in milliseconds. */
const EVERY_MS = 60_000;
/** Milliseconds without a failure after which an outage is over: longer than the pauses of all retry loops. */
const QUIET_MS = 15_000;

type Level = 'warn' | 'error';
type LogLine = (level: Level, fields: object, message: string) => void;

/** An outage of one engine, from its first failure on. */
interface Outage {
  readonly reason: string;
  readonly began: number;
  /** The most severe level of its failures. */
  level: Level;
  loggedAt: number;
  lastAt: number;
  /** Failures since the beginning, counted by log message, the first one included. */
  readonly failures: Map<string, number>;
  /** Whether some failures were not logged: since the last line, and at any time. */
  isUnlogged: boolean;
  wasUnlogged: boolean;
  /** The timer that ends the outage; null for a permanent one, which lasts until the process restarts. */
  readonly quiet: NodeJS.Timeout | null;
}

export interface Outages {
  /**
   * Counts an engine's failure; true when its line must not be written, because the outage is known
   * already. `what`: the log message, which names the failure in the counts.
   */
  recordAndSuppress(level: Level, error: unknown, what: string): boolean;
  /** Logs the counts that were not logged yet, and forgets all outages. */
  end(): void;
}

const isEngineFailure = (error: unknown): error is Error =>
  error instanceof StoreUnavailable || error instanceof ReadModelMissing;

/**
 * The key of an engine: a server's name, or the path of a database file, with which messages begin. A full disk is one
 * outage, whichever file is on it.
 */
const engineOf = (error: Error): string => {
  if (error instanceof NoRoom) return error.name;
  const isServer = error instanceof StoreUnavailable && error.engine !== 'SQLite';
  return `${error.name} ${isServer ? error.engine : error.message.split(' ', 1)[0]}`;
};

/**
 * Reduces an engine's repeated failures to a few log lines: the first failure, one line with counts every
 * minute, and one at the end. All failures of one engine are taken to have the same cause.
 */
export function createOutages(
  log: LogLine,
  everyMs = EVERY_MS,
  quietMs = QUIET_MS,
  now: () => number = () => performance.now(),
): Outages {
  const outages = new Map<string, Outage>();

  function say({ level, reason, began, lastAt, failures }: Outage, message: string): void {
    const seconds = Math.round((lastAt - began) / 100) / 10;
    log(level, { error: reason, seconds, failures: Object.fromEntries(failures) }, message);
  }

  function begin(engine: string, level: Level, error: Error, what: string): void {
    const isForGood = error instanceof StoreUnavailable && error.permanent;
    const at = now();
    const outage: Outage = {
      reason: error.message,
      level,
      began: at,
      loggedAt: at,
      lastAt: at,
      isUnlogged: false,
      wasUnlogged: false,
      failures: new Map([[what, 1]]),
      quiet: isForGood ? null : setTimeout(() => over(engine), quietMs).unref(),
    };
    outages.set(engine, outage);
  }

  function over(engine: string): void {
    const outage = outages.get(engine);
    outages.delete(engine);
    // A single failure that was logged is not an outage.
    if (outage?.wasUnlogged) say({ ...outage, level: 'warn' }, 'an engine has stopped failing');
  }

  return {
    recordAndSuppress(level, error, what) {
      if (!isEngineFailure(error)) return false;
      const engine = engineOf(error);
      const outage = outages.get(engine);
      if (outage === undefined) {
        begin(engine, level, error, what);
        return false;
      }
      outage.quiet?.refresh();
      outage.lastAt = now();
      outage.isUnlogged = true;
      outage.wasUnlogged = true;
      if (level === 'error') outage.level = level;
      outage.failures.set(what, (outage.failures.get(what) ?? 0) + 1);
      if (outage.lastAt - outage.loggedAt >= everyMs) {
        outage.loggedAt = outage.lastAt;
        outage.isUnlogged = false;
        say(outage, 'an engine still fails');
      }
      return true;
    },
    end() {
      for (const outage of outages.values()) {
        if (outage.quiet !== null) clearTimeout(outage.quiet);
        if (outage.isUnlogged) say(outage, 'an engine still fails');
      }
      outages.clear();
    },
  };
}

/** Time before the same message is passed on again, in milliseconds: an outage should not be a line every second. */
const REPEATED_EVERY_MS = 30_000;

/** Passes on each distinct message at most once per `everyMs` (milliseconds). */
export function throttleRepeats<T>(
  pass: (trouble: T) => void,
  everyMs = REPEATED_EVERY_MS,
  now: () => number = () => performance.now(),
): (trouble: T) => void {
  const passedOn = new Map<string, number>();
  return (trouble) => {
    const at = now();
    for (const [words, since] of passedOn) if (at - since >= everyMs) passedOn.delete(words);
    if (passedOn.has(messageOf(trouble))) return;
    passedOn.set(messageOf(trouble), at);
    pass(trouble);
  };
}
