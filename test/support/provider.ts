import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSandbox, webhookSender } from '@oja/demo/paystack-sandbox';
import { createMemoryState, createMemoryStateData } from '@oja/platform';
import Koa from 'koa';

/** A payment provider whose API can be cut off; people can still pay there, and it still sends webhooks. */
export interface Provider {
  readonly url: string;
  goAway(): void;
  comeBack(): void;
  close(): Promise<void>;
}

/** Starts a provider that sends webhooks to `marketPort` on this machine; `report` receives its errors. */
export async function openProvider(
  secret: string,
  marketPort: number,
  report: (error: unknown) => void,
): Promise<Provider> {
  // The sandbox needs its own address before it is created.
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('it does not listen');
  const origin = `http://127.0.0.1:${address.port}`;
  const sandbox = createSandbox({
    state: createMemoryState(createMemoryStateData()),
    secret,
    publicUrl: origin,
    clock: { now: Date.now },
    send: webhookSender(`http://127.0.0.1:${marketPort}/v1/paystack/webhook`),
    report,
  });
  const answer = new Koa().use(sandbox.middleware).callback();
  let isAway = false;
  server.on('request', (request, response) => {
    if (isAway && request.headers.authorization !== undefined) request.socket.destroy();
    else void answer(request, response);
  });
  sandbox.start();
  return {
    url: `${origin}/sandbox`,
    goAway: () => {
      isAway = true;
    },
    comeBack: () => {
      isAway = false;
    },
    async close() {
      await sandbox.stop();
      server.closeAllConnections();
      server.close();
    },
  };
}
