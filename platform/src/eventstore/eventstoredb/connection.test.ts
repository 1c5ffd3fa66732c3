import type { EventStoreDBClient } from '@eventstore/db-client';
import { afterEach, describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../port.js';
import { Connection } from './connection.js';
import { openEventStoreDb } from './store.js';

/** Two nodes that do not listen. The client tries each of them once. */
const AWAY = 'esdb://127.0.0.1:1,127.0.0.1:2?tls=false&maxDiscoverAttempts=1';

const open: Connection[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.dispose()));
});

function connected(): Connection {
  const connection = new Connection(AWAY);
  open.push(connection);
  return connection;
}

describe('A cluster of which no node answers', () => {
  it('is asked with another client each time: one remembers for ever what it was told', async () => {
    const connection = connected();
    const asked = new Set<EventStoreDBClient>();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const tried = connection.write((client) => {
        asked.add(client);
        return client.appendToStream('seller-1', []);
      });
      await expect(tried).rejects.toThrow('Failed to discover');
    }
    expect(asked.size).toBe(3);
  });

  it('gives up a client once, however many of its appends fail', async () => {
    const connection = connected();
    const asked: EventStoreDBClient[] = [];
    const fails = (client: EventStoreDBClient) => {
      asked.push(client);
      return Promise.reject(new Error('Failed to discover after 1 attempts.'));
    };
    await Promise.allSettled(Array.from({ length: 5 }, () => connection.write(fails)));
    await connection.write(async (client) => asked.push(client));
    await connection.write(async (client) => asked.push(client));
    expect([new Set(asked.slice(0, 5)).size, new Set(asked).size]).toEqual([1, 2]);
  });

  it('is away, which is no fault of ours', async () => {
    const opened = openEventStoreDb({ url: AWAY, times: { opening: 1_000, answer: 200 } });
    await expect(opened).rejects.toThrow(StoreUnavailable);
  });
});
