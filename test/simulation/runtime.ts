import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { createRandom, type Random } from '../chaos/random.js';
import type { Scheduler } from './scheduler.js';

/** The machine that programs see: its time, its random values and its network. */
export interface Machine {
  readonly scheduler: Scheduler;
  readonly seed: number;
  fetch(url: string, init: RequestInit | undefined): Promise<Response>;
}

interface Running extends Machine {
  readonly chances: Random;
  readonly began: number;
}

let running: Running | null = null;
let isInstalled = false;

function machine(): Running {
  if (running === null) throw new Error('no simulation runs');
  return running;
}

/**
 * From now on time, timers, random values and the network of this whole process are the simulated
 * machine's: programs run unchanged and depend only on the seed. Use it only in a process that does
 * nothing else.
 */
export function runOn(next: Machine): void {
  running = {
    ...next,
    chances: createRandom(next.seed ^ 0x5eed),
    began: next.scheduler.now(),
  };
  if (isInstalled) return;
  isInstalled = true;
  const now = () => machine().scheduler.now();
  Object.assign(Date, { now });
  Object.assign(performance, { now: () => now() - machine().began });
  Object.assign(globalThis, {
    setTimeout: later,
    clearTimeout: cancel,
    setInterval: again,
    clearInterval: cancel,
    setImmediate: (work: (...args: readonly unknown[]) => void, ...args: readonly unknown[]) =>
      handle(machine().scheduler.immediate(() => work(...args))),
    clearImmediate: cancel,
    fetch: (url: string, init?: RequestInit) => machine().fetch(url, init),
  });
  Object.assign(timers, { setTimeout: wait, setImmediate: turn });
  // No check reads correlation ids, and AsyncLocalStorage would cost a call per promise.
  Object.assign(AsyncLocalStorage.prototype, {
    run: <T>(_: unknown, work: (...args: readonly unknown[]) => T, ...args: readonly unknown[]) =>
      work(...args),
    getStore: () => undefined,
  });
  Object.assign(AbortSignal, { timeout });
  Object.assign(AbortController.prototype, { abort });
  Object.assign(crypto, {
    randomBytes: bytes,
    randomUUID: uuid,
    randomInt: (below: number) => machine().chances.between(0, below - 1),
  });
  Object.assign(globalThis.crypto, { getRandomValues: fill });
  syncBuiltinESMExports();
}

interface Handle {
  cancel(): void;
  ref(): Handle;
  unref(): Handle;
  hasRef(): boolean;
}

function handle(of: { cancel(): void }): Handle {
  const own: Handle = {
    cancel: () => of.cancel(),
    ref: () => own,
    unref: () => own,
    hasRef: () => true,
  };
  return own;
}

const cancel = (of: Handle | undefined): void => of?.cancel();

function later(work: (...args: readonly unknown[]) => void, ms = 0, ...args: readonly unknown[]) {
  return handle(machine().scheduler.timer(ms, () => work(...args)));
}

function again(work: () => void, ms = 0): Handle {
  let next = { cancel() {} };
  const begin = () => {
    next = machine().scheduler.timer(ms, () => {
      begin();
      work();
    });
  };
  begin();
  return handle({ cancel: () => next.cancel() });
}

function wait<T>(
  ms = 0,
  value?: T,
  { signal }: { signal?: AbortSignal } = {},
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = machine().scheduler.timer(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve(value);
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

const turn = <T>(value?: T): Promise<T | undefined> =>
  new Promise((resolve) => machine().scheduler.immediate(() => resolve(value)));

/** Shared: a new one would capture a stack trace that nobody reads. */
const TIMED_OUT = new DOMException('The operation timed out', 'TimeoutError');
const ABORTED = new DOMException('This operation was aborted', 'AbortError');
const reallyAbort = AbortController.prototype.abort;

function abort(this: AbortController, reason: unknown = ABORTED): void {
  reallyAbort.call(this, reason);
}

function timeout(ms: number): AbortSignal {
  const controller = new AbortController();
  const isExact = true;
  const over = () => controller.abort(TIMED_OUT);
  machine().scheduler.timer(ms, over, isExact);
  return controller.signal;
}

function bytes(size: number): Buffer {
  return fill(Buffer.alloc(size));
}

function fill<T extends Uint8Array>(into: T): T {
  const { chances } = machine();
  for (let at = 0; at < into.length; at += 1) into[at] = chances.between(0, 255);
  return into;
}

function uuid(): string {
  const of = bytes(16);
  of[6] = ((of[6] ?? 0) & 0x0f) | 0x40;
  of[8] = ((of[8] ?? 0) & 0x3f) | 0x80;
  const hex = of.toString('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ];
  return parts.join('-');
}
