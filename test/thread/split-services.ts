import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SOCKET_NOTIFICATION, SOCKET_REGISTER } from '@oja/contracts/wire';
import { files } from '@oja/platform';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Client } from '../support/client.js';
import { type Edge, openEdge, type Ports } from '../support/edge.js';
import { joinSharedLog } from '../support/engines.js';
import { freePort, lettersIn, type Running, runOja, temporaryFolder } from '../support/market.js';
import * as walk from './walk.js';

/** The embedded file that each variable replaces. */
const embeddedFiles = [
  ['EVENTSTORE_URL', files.log],
  ['MONGODB_URL', files.documents],
  ['MONGODB_URL', files.state],
  ['MONGODB_URL', files.keys],
  ['REDIS_URL', files.jobs],
] as const;

/**
 * Tests the main path through separate services on the named engines; all other engines are
 * embedded in one folder.
 */
export function walkThroughServices(
  name: string,
  engines: Readonly<Record<string, string>> = {},
): void {
  describe(`Separate services on ${name}`, () => {
    const folder = temporaryFolder();
    const services: Running[] = [];
    const sockets: Socket[] = [];
    let edge: Edge;
    let origin: string;
    /** The ports of both command services; the edge uses only the first. */
    let commandPorts: readonly number[];

    const oja = (args: readonly string[], port = 0): Running => {
      const env = { PORT: `${port}`, DATA_DIR: folder.path, PUBLIC_URL: origin, OJA_DEMO: '1' };
      return runOja(args, { ...env, ...engines });
    };

    beforeAll(async () => {
      const edgePort = await freePort();
      origin = `http://localhost:${edgePort}`;
      if (engines.EVENTSTORE_URL !== undefined)
        await joinSharedLog(folder.path, { ...engines, PUBLIC_URL: origin });
      const start = async (service: string): Promise<number> => {
        const port = await freePort();
        const running = oja(['start', service], port);
        services.push(running);
        await running.line(/"msg":"open"/);
        return port;
      };
      const projector = start('projector');
      const first = await start('command-service');
      commandPorts = [first, await start('command-service')];
      const ports: Ports = {
        'command-service': [first],
        'query-service': [await start('query-service')],
      };
      await projector;
      edge = await openEdge(edgePort, ports);
    });

    afterAll(async () => {
      for (const socket of sockets) socket.close();
      await edge?.close();
      for (const service of services) await service.stop();
      folder.remove();
    });

    /** Resolves with the first live hint for the seller. */
    function nextHint({ client, details }: walk.Seller): Promise<unknown> {
      const socket = io(origin, { transports: ['websocket'], auth: { token: client.token } });
      sockets.push(socket);
      return new Promise((resolve, reject) => {
        socket.on('connect', () => socket.emit(SOCKET_REGISTER, details.user_id));
        socket.on('connect_error', reject);
        socket.on(SOCKET_NOTIFICATION, resolve);
      });
    }

    it('an order of two sellers goes from upload to confirmed delivery', async () => {
      // An external engine may still hold the data of an earlier run.
      const tag = `${randomInt(1e9)}`;
      const tote = `tote${tag}`;
      const ada = await walk.registerSeller(origin, `Ada Leather ${tag}`);
      const bisi = await walk.registerSeller(origin, `Bisi Bags ${tag}`);
      await walk.listBag(ada, `Brown ${tote} of Aba leather`, 11_500, ['brown', 'tan']);
      await walk.listBag(bisi, `Small ${tote} of raffia`, 2_300, ['olive', 'gold']);

      const shopper = new Client(origin);
      const goods = await walk.findListed(shopper, tote, 2);
      const hints = Promise.all([nextHint(ada), nextHint(bisi)]);

      const { payAt, transactionId } = await walk.placeOrder(shopper, goods);
      const reference = await walk.pay(payAt);
      const stranger = await walk.verify(new Client(origin), reference);
      const verified = await walk.verify(shopper, reference);
      expect(stranger).toEqual(expect.objectContaining({ ok: true }));
      expect(stranger.transactionId).toBeUndefined();
      expect(verified).toEqual(expect.objectContaining({ ok: true, transactionId }));

      expect(await hints).toHaveLength(2);
      expect((await walk.unreadOf(ada))[0]?.items).toEqual([
        expect.objectContaining({ prod_name: `Brown ${tote} of Aba leather`, quantity: 1 }),
      ]);
      expect((await walk.unreadOf(bisi))[0]?.message).toBe(`New order for:Small ${tote} of raffia`);
      const link = `/payment/verify/delivery-confirmation#${transactionId}`;
      await vi.waitFor(() => expect(lettersIn(folder.path).join()).toContain(link), 20_000);

      expect((await walk.orderOf(shopper, transactionId)).recieved).toBe('PENDING');
      await shopper.call(200, 'PUT', `/v1/buyers/transactions/${transactionId}`);
      expect((await walk.orderOf(shopper, transactionId)).recieved).toBe('DELIVERED');
      await vi.waitFor(
        async () =>
          expect(await walk.earningsOf(ada)).toEqual({ held: 0, payable: 10_000, paid_out: 0 }),
        10_000,
      );
      await vi.waitFor(
        async () =>
          expect(await walk.earningsOf(bisi)).toEqual({ held: 0, payable: 2_000, paid_out: 0 }),
        10_000,
      );
      for (const [variable, file] of embeddedFiles)
        expect(existsSync(join(folder.path, file)), file).toBe(engines[variable] === undefined);
    });

    it('a suspended seller sells and writes nothing from that moment, whichever process is asked', async () => {
      const tag = `${randomInt(1e9)}`;
      const basket = `basket${tag}`;
      const ngozi = await walk.registerSeller(origin, `Ngozi Baskets ${tag}`);
      const admin = await walk.registerSeller(origin, `Market Mother ${tag}`);
      const bag = await walk.listBag(ngozi, `Woven ${basket}`, 4_600, ['tan', 'gold']);
      expect(await oja(['admin', 'grant', admin.details.businessName]).exited).toBe(0);
      const shopper = new Client(origin);
      const goods = await walk.findListed(shopper, basket, 1);

      const suspend = `/v1/user/${ngozi.details.user_id}/toggle-suspended`;
      const suspended = await admin.client.call(200, 'PUT', suspend);
      expect(suspended).toMatchObject({ is_suspended: 1 });
      // Commands read streams, not read models, so the suspension counts at once in both services.
      const writers = commandPorts.map((port) => {
        const client = new Client(`http://127.0.0.1:${port}`);
        client.token = ngozi.client.token;
        return client;
      });
      const update = `/v1/product/update/${bag}`;
      for (const writer of writers) {
        await writer.call(403, 'PUT', update, { description: 'Written all the same.' });
        await expect(walk.placeOrder(writer, goods)).rejects.toThrow(/: 409 /);
      }
      // The admin's own reads see the change at once, everybody else's once it is projected.
      expect(await walk.find(admin.client, basket)).toEqual([]);
      await vi.waitFor(async () => expect(await walk.find(shopper, basket)).toEqual([]), 10_000);
      // Reading is still allowed.
      const own = await ngozi.client.get<{ userDetails: unknown[] }>('/v1/user/products');
      expect(own.userDetails).toHaveLength(1);

      expect(await admin.client.call(200, 'PUT', suspend)).toMatchObject({ is_suspended: 0 });
      expect(await walk.find(admin.client, basket)).toHaveLength(1);
      for (const writer of writers) await writer.call(200, 'PUT', update, { description: 'Back.' });
    });
  });
}
