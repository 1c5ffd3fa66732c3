/** Node's timers go no further; a later alarm is set again when this one has rung. */
const longestMs = 2 ** 31 - 1;

/** Something that can be woken: at once, or after a time. */
export interface Alarm {
  ring(): void;
  /** Milliseconds from now; an earlier alarm stays. */
  setFor(milliseconds: number): void;
  clear(): void;
}

/** Calls `onRing` once for all rings of one turn of the event loop. Keeps no process alive. */
export function alarm(onRing: () => void): Alarm {
  let timer: NodeJS.Timeout | null = null;
  let at = Number.POSITIVE_INFINITY;
  let isRinging = false;

  function clear(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    at = Number.POSITIVE_INFINITY;
  }

  function ring(): void {
    if (isRinging) return;
    isRinging = true;
    queueMicrotask(() => {
      isRinging = false;
      clear();
      onRing();
    });
  }

  return {
    ring,
    setFor(milliseconds) {
      const wait = Math.min(Math.max(milliseconds, 1), longestMs);
      if (performance.now() + wait >= at) return;
      clear();
      at = performance.now() + wait;
      timer = setTimeout(ring, wait).unref();
    },
    clear,
  };
}
