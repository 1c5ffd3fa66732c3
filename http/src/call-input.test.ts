import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { type BodyResult, readBytes } from './call-input.js';

it('a body that trickles in is refused once its time is over, however it moves', async () => {
  const results: BodyResult<Buffer>[] = [];
  const server = createServer(async (request, response) => {
    results.push(await readBytes(request, 150));
    response.writeHead(408, { Connection: 'close' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('POST /v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
  const trickle = setInterval(() => socket.write(' '), 10);
  const [answer] = await once(socket, 'data');
  clearInterval(trickle);
  socket.destroy();
  server.close();
  server.closeAllConnections();
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
  expect(results).toEqual([
    {
      ok: false,
      failed: {
        status: 408,
        message: 'The request took too long to arrive',
        headers: { Connection: 'close' },
      },
    },
  ]);
});
