// Preloaded into every role: moves its clock on by the milliseconds in the file OJA_CHAOS_CLOCK, so
// that hours of waiting (a refund retry, an order's expiry) pass in a moment. Never backwards.
import { readFileSync } from 'node:fs';

const file = process.env.OJA_CHAOS_CLOCK ?? '';
const RealDate = Date;
let offset = 0;
let isFresh = false;

/** Reads the file once per turn of the event loop, so a call after the change sees the new time. */
function now() {
  if (!isFresh) {
    isFresh = true;
    setImmediate(() => {
      isFresh = false;
    });
    offset = Math.max(offset, Number(readFileSync(file, 'utf8')));
  }
  return RealDate.now() + offset;
}

globalThis.Date = new Proxy(RealDate, {
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  construct: (target, given, asked) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, asked),
});
