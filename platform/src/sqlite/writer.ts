import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { NoRoom, StoreUnavailable } from '../eventstore/port.js';
import { prepareFile } from './prepare.js';
import type {
  FromWriter,
  ToWriter,
  WriteReply,
  WriteRequest,
  WriterModule,
  WriterSettings,
} from './protocol.js';
import { forgetDamage, messageOf, whyDamaged } from './sql.js';

/** An operation threw, and left no trace: a bug, or a value the schema does not take. */
export class WriteRefused extends Error {
  override readonly name = 'WriteRefused';
}

/** The calling side of a writer thread. */
export interface Writer {
  /**
   * Resolves with the operation's reply once it is committed, which no death of this process takes back, and, unless
   * `durable` is false, on disk. What need not be there after a power cut, because it is done anew or of no use then,
   * does not wait for the disk, which takes as long as all the rest of a small write many times over.
   * @throws WriteRefused when the operation threw; NoRoom while the disk is full;
   *   StoreUnavailable when nothing can be promised, or somebody of this process has met damage in the file.
   */
  write<T>(
    operation: string,
    request: unknown,
    options?: { readonly durable?: boolean },
  ): Promise<T>;
  /**
   * Moves everything from the WAL into the file and empties the WAL. Waits for readers in the way, at
   * most so many milliseconds; whether it succeeded in time.
   */
  truncateWal(forMs: number): Promise<boolean>;
  /** Ends once all that was asked for is answered. */
  close(): Promise<void>;
}

/** Files of this process whose writer has answered that it takes nothing, and why. */
const stopped = new Map<string, string>();

/**
 * Why a file takes no writes: until there is room again, or, broken or damaged, for as long as this process runs; null
 * while nobody was told so.
 */
export const whyStopped = (file: string): string | null => stopped.get(file) ?? whyDamaged(file);

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * Opens a file with the module's schema, and starts the thread that owns its writes at the first of them: who only
 * reads, as most commands do, needs none. `module` is the URL of a built module that exports `schema` and
 * `operations`. An idle writer does not keep the process alive.
 *
 * @throws StoreUnavailable when the file cannot be opened or is not ours.
 */
export async function startWriter(
  module: URL,
  settings: Omit<WriterSettings, 'module'>,
): Promise<Writer> {
  const workerData: WriterSettings = { ...settings, module: module.href };
  stopped.delete(settings.file);
  forgetDamage(settings.file);
  const { schema } = (await import(module.href)) as WriterModule;
  const prepared = prepareFile(workerData, schema);
  const waiting = new Map<number, Waiting>();
  let thread: Worker | null = null;
  let unsent: WriteRequest[] = [];
  let lastId = 0;
  let ended: StoreUnavailable | null = null;

  function end(why: string): void {
    if (ended === null) stopped.set(settings.file, why);
    ended ??= new StoreUnavailable(`The writer of ${settings.file} has ended: ${why}`, true);
    for (const { reject: fail } of waiting.values()) fail(ended);
    waiting.clear();
  }

  function startThread(): Worker {
    const worker = new Worker(new URL('./writer-thread.js', import.meta.url), { workerData });
    worker.on('message', (message: FromWriter) => {
      if (message.kind === 'ready') prepared.close();
      else if (message.kind === 'unusable') end(message.message);
      else if (message.kind === 'room') stopped.delete(settings.file);
      else for (const reply of message.replies) settle(reply);
    });
    worker.on('error', (error) => end(error.message));
    worker.on('exit', (code) => end(`exit code ${code}`));
    return worker;
  }

  function settle(reply: WriteReply): void {
    const asked = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (waiting.size === 0 && !ended) thread?.unref();
    if (reply.ok) asked?.resolve(reply.value);
    else if (reply.why === 'refused') asked?.reject(new WriteRefused(reply.message));
    else {
      if (reply.why !== 'busy') stopped.set(settings.file, reply.message);
      const isPermanent = reply.why === 'stopped';
      asked?.reject(
        reply.why === 'full'
          ? new NoRoom(reply.message)
          : new StoreUnavailable(reply.message, isPermanent),
      );
    }
  }

  function send(message: ToWriter): void {
    thread ??= startThread();
    thread.postMessage(message);
  }

  function ask<T>(hand: (id: number) => void): Promise<T> {
    if (ended) return Promise.reject(ended);
    const damage = whyDamaged(settings.file);
    if (damage !== null) return Promise.reject(new StoreUnavailable(damage, true));
    if (waiting.size === 0) thread?.ref();
    lastId += 1;
    const id = lastId;
    return new Promise<T>((resolve, reject) => {
      waiting.set(id, { resolve: (value) => resolve(value as T), reject });
      hand(id);
    });
  }

  /**
   * What one turn of the event loop asks for goes over in one message, and is committed together: to wake a thread costs
   * more than most writes do.
   */
  function sendUnsent(): void {
    if (unsent.length === 0) return;
    const requests = unsent;
    unsent = [];
    try {
      send({ kind: 'write', requests });
    } catch {
      // Something in it cannot be cloned: only the request it is in may suffer for it.
      for (const request of requests) sendAlone(request);
    }
  }

  function sendAlone(request: WriteRequest): void {
    try {
      send({ kind: 'write', requests: [request] });
    } catch (error) {
      settle({ id: request.id, ok: false, why: 'refused', message: messageOf(error) });
    }
  }

  return {
    write(operation, request, { durable = true } = {}) {
      return ask((id) => {
        if (unsent.length === 0) setImmediate(sendUnsent);
        unsent.push({ id, operation, request, durable });
      });
    },
    truncateWal(forMs) {
      return ask((id) => send({ kind: 'truncate', id, forMs }));
    },
    async close() {
      prepared.close();
      if (ended) return;
      sendUnsent();
      ended = new StoreUnavailable(`${settings.file} is closed`, true);
      if (thread === null) return;
      const exited = once(thread, 'exit');
      thread.ref();
      send({ kind: 'close' });
      await exited;
    },
  };
}
