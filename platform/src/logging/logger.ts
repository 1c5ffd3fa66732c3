import { once } from 'node:events';
import { renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import pino from 'pino';
import { makeFolder } from '../data-dir/lock.js';
import { currentLogContext, outsideLogContext } from './correlation.js';
import { createOutages, type Outages } from './outages.js';
import type { Logger, LoggerOptions, OpenLogger, Write, WrittenLevel } from './port.js';
import { redact, redactText } from './redaction.js';

const MOST_BYTES = 20_000_000;
/** How many rotated files are kept: `<file>.1` is the newest; older ones are deleted. */
const PUT_ASIDE = 5;

/** Every line goes through here, so every line is redacted. */
function write(inner: pino.Logger, level: WrittenLevel, fields: object, message: string): void {
  inner[level](redact(fields), redactText(message));
}

const errorOf = (fields: object): unknown => ('err' in fields ? fields.err : null);

function loggerOn(inner: pino.Logger, outages: Outages): Logger {
  const writer =
    (level: WrittenLevel): Write =>
    (fields, message) => {
      if (inner.isLevelEnabled(level)) write(inner, level, fields, message);
    };
  /** Writes warnings and errors. An engine's failure is logged once per outage, not by every caller that meets it. */
  const troubleWriter =
    (level: 'warn' | 'error'): Write =>
    (fields, message) => {
      if (!inner.isLevelEnabled(level)) return;
      if (!outages.recordAndSuppress(level, errorOf(fields), message))
        write(inner, level, fields, message);
    };
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: troubleWriter('warn'),
    error: troubleWriter('error'),
    fatal: writer('fatal'),
    child: (fields) => loggerOn(inner.child(redact(fields)), outages),
  };
}

/** Bytes of log lines kept in memory while the disk is full. Further lines are lost. */
const MAX_WAITING = 1_000_000;

type Destination = ReturnType<typeof pino.destination>;

/**
 * Opens a file (or stdout) that survives failed writes, such as on a full disk. Each new line tries
 * again. `onWritable` gets the number of lost lines once writing works again.
 */
function openDestination(
  file: string | undefined,
  onWritable: (lost: number) => void,
): Destination {
  const destination = pino.destination({ dest: file ?? 1, sync: false, maxLength: MAX_WAITING });
  const flushSync = destination.flushSync.bind(destination);
  let isFailing = false;
  let lost = 0;
  destination.on('error', () => {
    isFailing = true;
    // When the process exits, pino retries until it succeeds, which on a full disk is never.
    destination.flushSync = () => undefined;
  });
  destination.on('drop', () => {
    lost += 1;
  });
  destination.on('drain', () => {
    // Lines are lost without a failure too, where more come at once than the buffer holds.
    if (!isFailing && lost === 0) return;
    isFailing = false;
    destination.flushSync = flushSync;
    onWritable(lost);
    lost = 0;
  });
  return destination;
}

function putAside(file: string): void {
  for (let n = PUT_ASIDE - 1; n >= 0; n -= 1)
    try {
      renameSync(n === 0 ? file : `${file}.${n}`, `${file}.${n + 1}`);
    } catch {
      // The file does not exist yet, or cannot be renamed and keeps growing.
    }
}

/**
 * Starts a new file whenever the current one has become large. Returns a function that stops this: a
 * destination that is closing must not reopen, and the remaining lines go into the current file.
 */
function rotate(destination: Destination, file: string, mostBytes: number): () => void {
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const onWrite = (bytes: number) => {
    size += bytes;
    if (size < mostBytes) return;
    size = 0;
    putAside(file);
    destination.reopen();
  };
  destination.on('write', onWrite);
  return () => destination.off('write', onWrite);
}

/** Resolves once everything is written, or once writing has failed. */
async function closeDestination(destination: Destination): Promise<void> {
  // `once` also rejects on an 'error' event.
  const closed = once(destination, 'close');
  destination.end();
  await closed.catch(() => destination.destroy());
}

/**
 * Opens the logger of a process. Trouble with the file never stops the process; lines that cannot be
 * written are lost.
 * @throws when the file's folder cannot be created or written.
 */
export function createLogger(options: LoggerOptions): OpenLogger {
  if (options.file !== undefined) makeFolder(dirname(options.file));
  const destination = openDestination(options.file, (lost) =>
    inner.warn({ lost }, 'log lines can be written again, and some were lost'),
  );
  const endRotation =
    options.file === undefined
      ? () => {}
      : rotate(destination, options.file, options.mostBytes ?? MOST_BYTES);
  const inner = pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      serializers: { err: (plain) => plain },
      mixin: () => ({ ...currentLogContext() }),
    },
    destination,
  );
  const outages = createOutages((level, fields, message) =>
    outsideLogContext(() => write(inner, level, fields, message)),
  );
  return {
    ...loggerOn(inner, outages),
    close() {
      outages.end();
      endRotation();
      return closeDestination(destination);
    },
  };
}
