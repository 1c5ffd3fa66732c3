import { Worker } from 'node:worker_threads';
import { NoRoom, StoreUnavailable } from '../eventstore/port.js';
import { messageOf } from '../message-of.js';
import { prepareFile } from './prepare.js';
import type {
  FromThread,
  FromWriter,
  ToThread,
  ToWriter,
  WriteReply,
  WriterSettings,
} from './protocol.js';
import { forgetDamage, whyDamaged } from './sql.js';

/** An operation threw and was undone: a bug, or a value that the schema does not accept. */
export class WriteRefused extends Error {
  override readonly name = 'WriteRefused';
}

/** The calling side of a writer thread. */
export interface Writer {
  /**
   * Resolves with the operation's reply once it is committed, so that it survives the death of this process,
   * and, unless `durable` is false, once it is on disk, so that it survives a power cut. Pass false for what is
   * redone or useless after a power cut: waiting for the disk takes many times as long as the rest of a small
   * write.
   * @throws WriteRefused when the operation threw; NoRoom while the disk is full; StoreUnavailable when nothing
   *   can be guaranteed, or this process has met damage in the file.
   */
  write<T>(
    operation: string,
    request: unknown,
    options?: { readonly durable?: boolean },
  ): Promise<T>;
  /**
   * Moves everything from the WAL into the file and empties the WAL. Waits up to `forMs` milliseconds for
   * readers in the way; resolves to whether it succeeded in time.
   */
  truncateWal(forMs: number): Promise<boolean>;
  /** Resolves once all requests are answered and the thread has ended. */
  close(): Promise<void>;
}

/** Files whose writer has refused writes in this process, with the reason. */
const stopped = new Map<string, string>();

/**
 * Why a file takes no writes; null while none was refused. A full disk stops writes until there is room, a broken or
 * damaged file for as long as this process runs.
 */
export const whyStopped = (file: string): string | null => stopped.get(file) ?? whyDamaged(file);

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The thread of files with few and small writes: state, keys and jobs. */
export const SMALL_FILES = 'small files';

interface WriterOptions extends Omit<WriterSettings, 'module'> {
  /** The schema that the module exports. Callers import it with the rest of their code, which is one file less to open. */
  readonly schema: string;
  /** Files of the same name share one thread, which writes to one at a time. Default: a thread of its own. */
  readonly thread?: string;
}

/**
 * Opens a file with the module's schema. The thread that owns its writes opens it with the first write: most
 * commands only read and need none. `module` is the URL of a built module that exports `schema` and `operations`.
 * An idle writer does not keep the process alive.
 *
 * @throws StoreUnavailable when the file cannot be opened or is another database.
 */
export async function startWriter(
  module: URL,
  { thread: name, schema, ...options }: WriterOptions,
): Promise<Writer> {
  const settings: WriterSettings = { ...options, module: module.href };
  stopped.delete(settings.file);
  forgetDamage(settings.file);
  const prepared = prepareFile(settings, schema);
  const waiting = new Map<number, Waiting>();
  let thread: FileInThread | null = null;
  let lastId = 0;
  let ended: StoreUnavailable | null = null;

  function end(why: string): void {
    if (ended === null) stopped.set(settings.file, why);
    ended ??= new StoreUnavailable(
      'SQLite',
      `The writer of ${settings.file} has ended: ${why}`,
      true,
    );
    for (const { reject: fail } of waiting.values()) fail(ended);
    waiting.clear();
    thread?.keepAlive(false);
  }

  const openThread = () =>
    openInThread(name ?? null, settings, {
      onMessage(message) {
        if (message.kind === 'ready') prepared.close();
        else if (message.kind === 'unusable') end(message.message);
        else if (message.kind === 'room') stopped.delete(settings.file);
        else if (message.kind === 'replies') for (const reply of message.replies) settle(reply);
      },
      onUnsendable: (id, message) => settle({ id, ok: false, why: 'refused', message }),
      onEnd: end,
    });

  function settle(reply: WriteReply): void {
    const asked = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (waiting.size === 0) thread?.keepAlive(false);
    if (reply.ok) asked?.resolve(reply.value);
    else if (reply.why === 'refused') asked?.reject(new WriteRefused(reply.message));
    else {
      if (reply.why !== 'busy') stopped.set(settings.file, reply.message);
      const isPermanent = reply.why === 'stopped';
      asked?.reject(
        reply.why === 'full'
          ? new NoRoom(reply.message)
          : new StoreUnavailable('SQLite', reply.message, isPermanent),
      );
    }
  }

  function ask<T>(send: (id: number, to: FileInThread) => void): Promise<T> {
    if (ended) return Promise.reject(ended);
    const damage = whyDamaged(settings.file);
    if (damage !== null) return Promise.reject(new StoreUnavailable('SQLite', damage, true));
    thread ??= openThread();
    if (waiting.size === 0) thread.keepAlive(true);
    lastId += 1;
    const id = lastId;
    const to = thread;
    return new Promise<T>((resolve, reject) => {
      waiting.set(id, { resolve: (value) => resolve(value as T), reject });
      send(id, to);
    });
  }

  return {
    write(operation, request, { durable = true } = {}) {
      return ask((id, to) => to.send({ kind: 'write', id, operation, request, durable }));
    },
    truncateWal(forMs) {
      return ask((id, to) => to.send({ kind: 'truncate', id, forMs }));
    },
    async close() {
      prepared.close();
      if (ended) return;
      ended = new StoreUnavailable('SQLite', `${settings.file} is closed`, true);
      await thread?.close();
    },
  };
}

/** What the opener of a file hears from its thread. */
interface ThreadListener {
  onMessage(message: FromWriter): void;
  /** The request cannot be sent to a thread. */
  onUnsendable(id: number, why: string): void;
  /** The thread has ended by itself. */
  onEnd(why: string): void;
}

/** A file as its writer thread knows it. */
interface FileInThread {
  /** Sends a message, together with all others of this turn of the event loop. */
  send(message: ToWriter): void;
  /** Keeps the process alive while answers are awaited, or no longer. */
  keepAlive(isAwaited: boolean): void;
  /** Resolves once the file is closed. Everything that was sent before is answered first. */
  close(): Promise<void>;
}

/** Threads that own several files, by name. They stay, because starting one takes longer than most writes. */
const shared = new Map<string, WriterThread>();

/**
 * Has a writer thread open a file. Files of the same `name` share one thread, which writes to one of them at a time;
 * null gives the file a thread of its own.
 */
function openInThread(
  name: string | null,
  settings: WriterSettings,
  listener: ThreadListener,
): FileInThread {
  const known = name === null ? undefined : shared.get(name);
  const thread = known ?? new WriterThread(name);
  if (name !== null) shared.set(name, thread);
  return thread.open(settings, listener);
}

class WriterThread {
  readonly #worker = new Worker(new URL('./writer-thread.js', import.meta.url));
  readonly #files = new Map<number, ThreadListener>();
  /** Files whose answers are awaited. */
  readonly #awaited = new Set<number>();
  #unsent: ToThread[] = [];
  #lastFile = 0;

  constructor(private readonly name: string | null) {
    this.#worker.unref();
    this.#worker.on('message', ({ file, ...message }: FromThread) =>
      this.#files.get(file)?.onMessage(message),
    );
    this.#worker.on('error', (error) => this.#end(error.message));
    this.#worker.on('exit', (code) => this.#end(`exit code ${code}`));
  }

  open(settings: WriterSettings, listener: ThreadListener): FileInThread {
    this.#lastFile += 1;
    const file = this.#lastFile;
    let closed = () => {};
    let isClosing = false;
    this.#files.set(file, {
      ...listener,
      onMessage(message) {
        if (message.kind === 'closed') closed();
        else listener.onMessage(message);
      },
      onEnd(why) {
        listener.onEnd(why);
        closed();
      },
    });
    this.#send({ file, kind: 'open', settings });
    return {
      send: (message) => this.#send({ file, ...message }),
      keepAlive: (isAwaited) => {
        // The last reply may come before the file is closed, and nothing else may keep the process alive until then.
        if (!isClosing) this.#keepAlive(file, isAwaited);
      },
      close: async () => {
        if (!this.#files.has(file)) return;
        isClosing = true;
        this.#keepAlive(file, true);
        await new Promise<void>((resolve) => {
          closed = resolve;
          this.#send({ file, kind: 'close' });
        });
        this.#files.delete(file);
        this.#keepAlive(file, false);
        if (this.name === null) await this.#worker.terminate();
      },
    };
  }

  #end(why: string): void {
    if (this.name !== null && shared.get(this.name) === this) shared.delete(this.name);
    const files = [...this.#files.values()];
    this.#files.clear();
    for (const { onEnd } of files) onEnd(why);
  }

  #keepAlive(file: number, isAwaited: boolean): void {
    if (isAwaited) this.#awaited.add(file);
    else this.#awaited.delete(file);
    if (this.#awaited.size > 0) this.#worker.ref();
    else this.#worker.unref();
  }

  /** Waking a thread costs more than most writes do, so all messages of one turn of the event loop go together. */
  #send(message: ToThread): void {
    if (this.#unsent.length === 0) setImmediate(() => this.#flush());
    this.#unsent.push(message);
  }

  #flush(): void {
    const messages = this.#unsent;
    this.#unsent = [];
    try {
      this.#worker.postMessage(messages);
    } catch {
      // Something cannot be cloned. Sent one by one, only the request that holds it fails.
      for (const message of messages) this.#sendAlone(message);
    }
  }

  #sendAlone(message: ToThread): void {
    try {
      this.#worker.postMessage([message]);
    } catch (error) {
      if (message.kind === 'write')
        this.#files.get(message.file)?.onUnsendable(message.id, messageOf(error));
    }
  }
}
