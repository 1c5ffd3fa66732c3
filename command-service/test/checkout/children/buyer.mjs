// A command-service process that serves one buyer, from placing an order to its verified payment.
// It kills itself at call number `step` to an engine. If it survives, it prints its calls, one per line: the
// call, and 'meanwhile' when an earlier one had no answer yet.
import { join } from 'node:path';
import { createCommandService, runSweep } from '@oja/command-service';
import {
  createEmbeddedDocuments,
  createEmbeddedEventStore,
  createEmbeddedKeys,
  createEmbeddedState,
  createMail,
  createPaystack,
  signWebhook,
  systemClock,
} from '@oja/platform';
import { checkWhenDue } from '../../../dist/checkout/payment-checks.js';
import { depsOver } from '../../support/deps.mjs';

const { folder, publicUrl, secret, commandId, unfinished, door, step, when } = JSON.parse(
  process.argv[2],
);
const at = (name) => join(folder, name);
/** A payment reference begins with the id of its order, a UUID. */
const UUID_LENGTH = 36;
const steps = [];
let counting = false;
let unanswered = 0;

const die = () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
};

/** Knows while the answer is waited for. */
function counted(answer) {
  if (!(answer instanceof Promise)) return answer;
  unanswered += 1;
  return answer.finally(() => {
    unanswered -= 1;
  });
}

/** Counts the calls to an engine, and kills the process before call number `step` or after its answer. */
function mortal(name, engine) {
  return new Proxy(engine, {
    get(target, member) {
      const asked = target[member];
      // The signature check is synchronous, so the process cannot die while it waits for it.
      if (typeof asked !== 'function' || member === 'isSignedByProvider') return asked;
      return (...given) => {
        if (!counting) return asked.apply(target, given);
        steps.push(`${name}.${String(member)}${unanswered > 0 ? ' meanwhile' : ''}`);
        const isLast = steps.length === step;
        if (isLast && when === 'before') return die();
        const answer = asked.apply(target, given);
        if (!isLast) return counted(answer);
        if (answer instanceof Promise) return answer.then(die);
        if (answer?.[Symbol.asyncIterator] === undefined) return answer;
        return (async function* read() {
          try {
            yield* answer;
          } finally {
            await die();
          }
        })();
      };
    },
  });
}

const masterKey = Buffer.alloc(32, 7);
const eventStore = mortal('log', await createEmbeddedEventStore({ file: at('log') }));
const state = mortal('state', await createEmbeddedState({ file: at('state') }));
const keys = mortal('keys', await createEmbeddedKeys({ file: at('keys'), masterKey }));
const documents = await createEmbeddedDocuments({ file: at('documents') });
const payments = mortal('payments', createPaystack({ url: `${publicUrl}/sandbox`, secret }));
const deps = await depsOver({
  eventStore,
  documents,
  state,
  keys,
  payments,
  mail: createMail({ smtpUrl: null, folder: at('mail'), clock: systemClock }),
  clock: systemClock,
  publicUrl,
  secret,
});
const { handlers } = createCommandService(deps);

const requestOf = (id, more) => ({
  body: undefined,
  params: undefined,
  query: undefined,
  actor: null,
  tokenFailure: null,
  commandId: id,
  correlationId: id,
  clientAddress: '127.0.0.1',
  position: null,
  cookie: () => undefined,
  header: () => undefined,
  ...more,
});

/** The ways in which Oja learns of a payment. */
const doors = {
  return: (id, reference) =>
    handlers.verifyTransaction(requestOf(id, { params: { reference }, body: undefined })),
  async webhook(id, reference) {
    const data = { reference, status: 'success', amount: 1_150_000 };
    const body = Buffer.from(JSON.stringify({ event: 'charge.success', data }));
    const header = () => signWebhook(body, secret);
    await handlers.paystackWebhook(requestOf(id, { body, header }));
    await runSweep(deps);
  },
  async check(_, reference) {
    const subject = reference.slice(0, UUID_LENGTH);
    await checkWhenDue(deps, subject, [new Date(0).toISOString()]);
  },
};

/** Serves one buyer. `from`: 'order' counts all steps, 'door' only those after the payment, null none. */
async function live(id, from) {
  const buyerItems = [{ product_id: 'bag', user_id: 'ada', quantity: 1 }];
  const body = {
    full_name: 'Ngozi Eze',
    email: 'ngozi@buyers.example',
    home_address: '4 Odim Street, Nsukka',
    phone_number: '08031234567',
    amount: 11_500,
    buyerItems,
  };
  counting = from === 'order';
  const answer = await handlers.initializeTransaction(requestOf(id, { body }));
  if (answer.body === undefined) throw new Error(`it cannot be paid: ${JSON.stringify(answer)}`);
  const { authorization_url: address, reference } = answer.body.data.data;
  await fetch(`${address}/pay`, { method: 'POST', redirect: 'manual' });
  counting = from !== null;
  await doors[door](id, reference);
  counting = false;
}

if (unfinished !== null) await live(unfinished, null);
if (commandId !== null) await live(commandId, door === 'return' ? 'order' : 'door');
for (const name of steps) console.log(name);
await Promise.all([eventStore.close(), state.close(), keys.close(), documents.close()]);
process.exit(0);
