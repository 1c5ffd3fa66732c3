import type { ClientSession, Document, MongoClient, TransactionOptions } from 'mongodb';
import { appName } from './connection.js';

/** A commit is acknowledged once most members have it on disk; reads see one snapshot. */
const options: TransactionOptions = {
  readPreference: 'primary',
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 20_000 },
};

/** For how long a transaction may stand still while another waits for it, in milliseconds. */
const STANDSTILL_MS = 5_000;

/**
 * Runs `work` in a transaction and commits it. The driver runs it again when the server reports a conflict with another
 * one, and repeats a commit that was not answered. One that has stood still for five seconds is ended after that time:
 * when a process is killed in the middle, the server would keep what it wrote from all others for a minute.
 */
export async function inTransaction<T>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  let waitsSince = performance.now();
  return client.withSession((session) =>
    session.withTransaction(async () => {
      if (performance.now() - waitsSince > STANDSTILL_MS) {
        // Not every server lets us: it ends them by itself, later.
        await endStandstill(client).catch(() => undefined);
        waitsSince = performance.now();
      }
      return work(session);
    }, options),
  );
}

/**
 * Ends the transactions of any market's process that stand still. A process that was only stopped goes on by beginning
 * its own again.
 */
async function endStandstill(client: MongoClient): Promise<void> {
  const admin = client.db('admin');
  const stages = [
    // Only those of our own user, which need no further rights.
    { $currentOp: { allUsers: false, idleSessions: true } },
    {
      $match: {
        ...{ type: 'idleSession', appName },
        'transaction.timeInactiveMicros': { $gt: 1_000 * STANDSTILL_MS },
      },
    },
  ];
  const still = await admin
    .aggregate<{ readonly lsid: Document }>(stages, { readConcern: { level: 'local' } })
    .toArray();
  if (still.length === 0) return;
  await admin.command({ killSessions: still.map(({ lsid }) => ({ id: lsid.id })) });
}
