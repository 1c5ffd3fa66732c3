// Preloaded into every role: its clock runs on by as much as the file named says, so that hours which
// a market waits for (a refund tried again, an order expired) pass in a moment. Never backwards.
import { readFileSync } from 'node:fs';

const file = process.env.OJA_CHAOS_CLOCK ?? '';
const RealDate = Date;
let offset = 0;
let isFresh = false;

/** The file is read once in each turn of the event loop: a call that comes after time has passed finds that it has. */
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
