import { connect } from 'node:net';
import { deflateSync } from 'node:zlib';

/** What is left when a connection breaks in the middle. */
export const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);

/** A PNG of a few bytes whose head promises far more pixels than anyone could hold. */
export function pixelFlood(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const pixels = deflateSync(Buffer.alloc(1_000));
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** Sends bytes as they are, since fetch would tidy them, and reads until the server hangs up. */
export async function raw(url: string, lines: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(lines.join(''));
  const chunks: Buffer[] = [];
  for await (const bytes of socket) chunks.push(bytes);
  return Buffer.concat(chunks).toString('latin1');
}
