// Preloaded into every role: its clock runs on by as much as the file named says, so that hours which
// a market waits for (a refund tried again, an order expired) pass in a moment. Never backwards.
import { readFileSync } from 'node:fs';

/** How long an offset is believed, in milliseconds. */
const GLANCE_MS = 20;

const file = process.env.OJA_CHAOS_CLOCK ?? '';
const RealDate = Date;
let offset = 0;
let readAt = Number.NEGATIVE_INFINITY;

function now() {
  const tick = performance.now();
  if (tick - readAt > GLANCE_MS) {
    readAt = tick;
    offset = Math.max(offset, Number(readFileSync(file, 'utf8')));
  }
  return RealDate.now() + offset;
}

globalThis.Date = new Proxy(RealDate, {
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  construct: (target, given, asked) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, asked),
});
