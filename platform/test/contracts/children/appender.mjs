// Appends to its own stream and to a shared one, and prints the id of each acknowledged event.
import { randomUUID } from 'node:crypto';
import { openEventStore } from './openEventStore.mjs';

const [address, name, many] = process.argv.slice(2);
const store = await openEventStore(address);

function event() {
  const id = randomUUID();
  const metadata = {
    actor: 'operator',
    commandId: id,
    correlationId: id,
    causationId: id,
    time: new Date(0).toISOString(),
    schemaVersion: 1,
  };
  return { id, type: 'Noted', data: { by: name }, metadata };
}

async function append(stream, expected) {
  const noted = event();
  const result = await store.append(stream, expected, [noted]);
  if (result.ok) console.log(noted.id);
  return result.ok ? result.revision : result.actual;
}

let own = 'no-stream';
let shared = 'no-stream';
for (let done = 0; done < Number(many); done += 1) {
  own = await append(`own-${name}`, own);
  shared = await append('shared-1', shared);
}
await store.close();
