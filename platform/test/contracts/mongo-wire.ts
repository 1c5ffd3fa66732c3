import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

/** A command that the real driver sent; its name is the command's first field. */
export interface Sent {
  readonly name: string;
  readonly command: Document;
}

const headerBytes = 16;
const opQuery = 2004;
const opReply = 1;
const opMsg = 2013;

interface Message {
  readonly id: number;
  readonly opCode: number;
  readonly body: Buffer;
}

/** The command in a message, with the document sequences of an OP_MSG merged into it. */
function commandIn({ opCode, body }: Message): Document {
  // OP_QUERY, the first greeting: flags, collection name, skip and return come before its document.
  if (opCode === opQuery) return BSON.deserialize(body.subarray(body.indexOf(0, 4) + 9));
  let command: Document = {};
  for (let at = 4; at < body.length; ) {
    const kind = body[at];
    const size = body.readInt32LE(at + 1);
    const part = body.subarray(at + 1, at + 1 + size);
    if (kind === 0) command = { ...command, ...BSON.deserialize(part) };
    else {
      const nameEnd = part.indexOf(0, 4);
      const documents: Document[] = [];
      for (let place = nameEnd + 1; place < size; place += part.readInt32LE(place))
        documents.push(BSON.deserialize(part.subarray(place, place + part.readInt32LE(place))));
      command[part.toString('utf8', 4, nameEnd)] = documents;
    }
    at += 1 + size;
  }
  return command;
}

function reply({ id, opCode }: Message, answer: Document): Buffer {
  const document = Buffer.from(BSON.serialize(answer));
  // OP_MSG: flags and section kind. OP_REPLY: flags, cursor, start and number of documents.
  const before = Buffer.alloc(opCode === opQuery ? 20 : 5);
  if (opCode === opQuery) before.writeInt32LE(1, 16);
  const header = Buffer.alloc(headerBytes);
  header.writeInt32LE(headerBytes + before.length + document.length, 0);
  header.writeInt32LE(1, 4);
  header.writeInt32LE(id, 8);
  header.writeInt32LE(opCode === opQuery ? opReply : opMsg, 12);
  return Buffer.concat([header, before, document]);
}

/**
 * A server with just enough of MongoDB's protocol for the real driver. It records what was sent;
 * `answer` returns the reply to a command, or 'silence' for none.
 */
export async function listenAsMongo(
  answer: (name: string, command: Document) => Document | 'silence',
): Promise<{ readonly port: number; readonly sent: Sent[]; close(): Promise<void> }> {
  const sent: Sent[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let held = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      held = Buffer.concat([held, chunk]);
      while (held.length >= headerBytes && held.length >= held.readInt32LE(0)) {
        const length = held.readInt32LE(0);
        const message = {
          id: held.readInt32LE(4),
          opCode: held.readInt32LE(12),
          body: held.subarray(headerBytes, length),
        };
        held = held.subarray(length);
        const command = commandIn(message);
        const [name = ''] = Object.keys(command);
        sent.push({ name, command });
        const answered = answer(name, command);
        if (answered !== 'silence') socket.write(reply(message, answered));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return {
    port: address.port,
    sent,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
