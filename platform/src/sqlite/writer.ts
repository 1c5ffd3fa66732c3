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

/**
 * Opens a file with the module's schema. The thread that owns its writes starts with the first write: most commands
 * only read and need none. `module` is the URL of a built module that exports `schema` and `operations`. An idle
 * writer does not keep the process alive.
 *
 * @throws StoreUnavailable when the file cannot be opened or is another database.
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
   * Sends all writes of one turn of the event loop in one message, to be committed together: waking a thread
   * costs more than most writes do.
   */
  function sendUnsent(): void {
    if (unsent.length === 0) return;
    const requests = unsent;
    unsent = [];
    try {
      send({ kind: 'write', requests });
    } catch {
      // Something cannot be cloned. Sent one by one, only the request that holds it fails.
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
