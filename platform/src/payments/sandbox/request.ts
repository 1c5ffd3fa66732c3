import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const LONGEST_BODY = 64 * 1024;

/** The JSON of a request's body; undefined when it is no JSON or longer than 64 KB. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= LONGEST_BODY) chunks.push(chunk);
  }
  if (length > LONGEST_BODY) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Whether the Authorization header carries the secret key, compared in constant time. */
export function carriesKey(authorization: string | undefined, secret: string): boolean {
  const given = Buffer.from(authorization ?? '');
  const expected = Buffer.from(`Bearer ${secret}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
