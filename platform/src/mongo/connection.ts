import {
  type Collection,
  type Document,
  MongoClient,
  type MongoClientOptions,
  MongoError,
  MongoInvalidArgumentError,
} from 'mongodb';
import { StoreUnavailable } from '../eventstore/port.js';

/** Unauthorized, AuthenticationFailed: no repetition helps. */
const forGood: readonly unknown[] = [13, 18];

const duplicateKey = 11_000;
const commandNotFound = 59;

/** There is one with this key already. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoError && error.code === duplicateKey;

/** Whether the server refused with this code. */
export const hasCode = (error: unknown, code: number): boolean =>
  error instanceof MongoError && error.code === code;

/** @throws StoreUnavailable for what the server or the way to it did; a wrong call stays what it is. */
export async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MongoError) || error instanceof MongoInvalidArgumentError) throw error;
    throw new StoreUnavailable(
      `MongoDB did not do it: ${error.message}`,
      forGood.includes(error.code),
    );
  }
}

export interface MongoConnection {
  readonly client: MongoClient;
  /** The database that the address names; other databases of the market begin with it. */
  readonly name: string;
  /** The client stays open while another engine uses it. */
  close(): Promise<void>;
}

/** How an engine gets its connection; another one for tests. */
export type ConnectMongo = (url: string) => Promise<MongoConnection>;

const defaultName = 'oja';

/**
 * Acknowledged is what most members have on disk, and read is what most members have: nothing that
 * was seen or promised goes away with a member.
 */
const promises: MongoClientOptions = {
  appName: 'oja',
  readPreference: 'primary',
  readConcern: { level: 'majority' },
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 20_000 },
  retryReads: true,
  retryWrites: true,
};

/** In milliseconds, so that a silent server is an error and no hang; the address may say others. */
const patience = {
  connectTimeoutMS: 5_000,
  // A new primary is elected after ten to twelve seconds.
  serverSelectionTimeoutMS: 20_000,
  socketTimeoutMS: 120_000,
};

function optionsFor(url: string): MongoClientOptions {
  const unsaid = Object.entries(patience).filter(([name]) => !url.includes(`${name}=`));
  return { ...promises, ...Object.fromEntries(unsaid) };
}

/** For every read: one that is asked amiss ends, and takes nothing of the server for ever. */
export const patiently = { maxTimeMS: 60_000 } as const;

/** The database in a connection string: what stands between the hosts and the options. */
function databaseIn(url: string): string {
  const [, name = ''] = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]*)/.exec(url) ?? [];
  return decodeURIComponent(name) || defaultName;
}

/** What the driver says of an address that it cannot read may repeat it, with its password. */
function clientFor(url: string): MongoClient {
  try {
    return new MongoClient(url, optionsFor(url));
  } catch {
    throw new StoreUnavailable(
      'MONGODB_URL is no address that the driver of MongoDB can read',
      true,
    );
  }
}

/** What the server says of itself. Before 4.4.2 it knows the question by its old name only. */
async function helloFrom(client: MongoClient): Promise<Document> {
  const admin = client.db('admin');
  try {
    return await admin.command({ hello: 1 });
  } catch (error) {
    if (!hasCode(error, commandNotFound)) throw error;
    return admin.command({ isMaster: 1 });
  }
}

/** Connected, and a server that can do what is asked of it. */
async function clientAt(url: string): Promise<MongoClient> {
  const client = clientFor(url);
  try {
    const hello = await asked(async () => {
      await client.connect();
      return helloFrom(client);
    });
    if (hello.setName === undefined && hello.msg !== 'isdbgrid') {
      throw new StoreUnavailable(
        'MongoDB is not a replica set and so has no transactions: start mongod with --replSet and run rs.initiate() once (one member is enough)',
        true,
      );
    }
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** In seconds. What a killed process had begun to write is kept from whoever takes over for as long as a transaction may last. */
const longestTransaction = 10;

/**
 * What of a server's settings would make a market wait where nothing is wrong, as a sentence that says what to do; null for
 * nothing, and where the server does not let us ask.
 */
export async function unfitSetting(client: MongoClient): Promise<string | null> {
  const question = { getParameter: 1, transactionLifetimeLimitSeconds: 1 };
  try {
    const { transactionLifetimeLimitSeconds: seconds } = await client.db('admin').command(question);
    if (typeof seconds !== 'number' || seconds <= longestTransaction) return null;
    return `MongoDB keeps what a killed process had begun to write from the others for ${seconds} seconds: start every mongod with --setParameter transactionLifetimeLimitSeconds=5`;
  } catch {
    return null;
  }
}

/** Of each address the one client of this process, which watches the servers for all engines there. */
const shared = new Map<string, { readonly client: Promise<MongoClient>; users: number }>();

/**
 * @throws StoreUnavailable when no server answers, for an address that the driver cannot read, and for a
 *   server that is alone: without a replica set MongoDB has no transactions.
 */
export const connectMongo: ConnectMongo = async (url) => {
  const used = shared.get(url) ?? { client: clientAt(url), users: 0 };
  shared.set(url, used);
  used.users += 1;
  /** Whether it was the last. */
  const leave = (): boolean => {
    used.users -= 1;
    if (used.users > 0) return false;
    if (shared.get(url) === used) shared.delete(url);
    return true;
  };
  let client: MongoClient;
  try {
    client = await used.client;
  } catch (error) {
    leave();
    throw error;
  }
  let closing: Promise<void> | null = null;
  return {
    client,
    name: databaseIn(url),
    close() {
      closing ??= leave() ? client.close() : Promise.resolve();
      return closing;
    },
  };
};

const otherOptions = 85;

/** An index after which MongoDB removes documents; one that is there keeps them as long as is said now. */
export async function expireBy<T extends Document>(
  collection: Collection<T>,
  name: string,
  field: string,
  seconds: number,
): Promise<void> {
  try {
    await collection.createIndex({ [field]: 1 }, { name, expireAfterSeconds: seconds });
  } catch (error) {
    if (!hasCode(error, otherOptions)) throw error;
    const index = { name, expireAfterSeconds: seconds };
    await collection.db.command({ collMod: collection.collectionName, index });
  }
}
