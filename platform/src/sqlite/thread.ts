import { Worker } from 'node:worker_threads';
import type { FromThread, FromWriter, ToThread, ToWriter, WriterSettings } from './protocol.js';
import { messageOf } from './sql.js';

/** What the opener of a file hears from its thread. */
export interface ThreadListener {
  onMessage(message: FromWriter): void;
  /** The request cannot be sent to a thread. */
  onUnsendable(id: number, why: string): void;
  /** The thread has ended by itself. */
  onEnd(why: string): void;
}

/** A file as its writer thread knows it. */
export interface FileInThread {
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
export function openInThread(
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
      keepAlive: (isAwaited) => this.#keepAlive(file, isAwaited),
      close: async () => {
        if (!this.#files.has(file)) return;
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
