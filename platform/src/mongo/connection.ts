import {
  type Collection,
  type Db,
  type Document,
  MongoClient,
  type MongoClientOptions,
  MongoError,
  MongoInvalidArgumentError,
  MongoServerSelectionError,
} from 'mongodb';
import { StoreUnavailable } from '../eventstore/port.js';

/** The server's refusals of a user, where a retry does not help. */
const unauthorized = 13;
const authenticationFailed = 18;

const duplicateKey = 11_000;
const commandNotFound = 59;

/** Whether a document with this key exists already. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoError && error.code === duplicateKey;

/** Whether this is an error of the server with this code. */
export const hasCode = (error: unknown, code: number): boolean =>
  error instanceof MongoError && error.code === code;

/** Runs `work`. @throws StoreUnavailable for errors of the server or network; others, as for a wrong call, as is. */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MongoError) || error instanceof MongoInvalidArgumentError) throw error;
    const isRefused = error.code === unauthorized || error.code === authenticationFailed;
    throw new StoreUnavailable('MongoDB', whatFailed(error), isRefused);
  }
}

/** What failed, for people; of a refusal also what to put right. */
function whatFailed(error: MongoError): string {
  // No server was found to ask.
  if (error instanceof MongoServerSelectionError)
    return `MongoDB does not answer: ${error.message}`;
  // The server repeats the whole command, with its clock's signature.
  const why = error.message.replace(/\{ (\w+):.*/s, '$1').replace(/\.$/, '');
  if (error.code === authenticationFailed)
    return `MongoDB refuses the name or the password in MONGODB_URL (${why}): see also whether its authSource names the database that this user was created in`;
  if (error.code === unauthorized)
    return `MongoDB does not allow this to the user in MONGODB_URL (${why}): it must be a user who may read and write the market's databases, and create their indexes`;
  return `MongoDB did not do it: ${error.message}`;
}

export interface MongoConnection {
  readonly client: MongoClient;
  /** The database that the address names; the names of the market's other databases begin with it. */
  readonly name: string;
  /** Closes the client, unless another engine still uses it. */
  close(): Promise<void>;
}

/**
 * How an engine gets its connection; tests pass their own. `timeoutMs`: how long to wait for a primary, unless the
 * address says it.
 */
export type ConnectMongo = (url: string, timeoutMs?: number) => Promise<MongoConnection>;

const defaultName = 'oja';

/** By which the server tells our connections from others. */
export const appName = 'oja';

/**
 * A write is acknowledged once most members have it on disk, and reads return only what most members have:
 * nothing that was seen or acknowledged is lost with a member.
 */
const promises: MongoClientOptions = {
  appName,
  readPreference: 'primary',
  readConcern: { level: 'majority' },
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 20_000 },
  retryReads: true,
  retryWrites: true,
};

/** In milliseconds, so that a silent server causes an error and not a hang; the address may set others. */
const clientTimeouts = {
  connectTimeoutMS: 5_000,
  socketTimeoutMS: 120_000,
};

/** The election of a new primary takes ten to twelve seconds. */
const ELECTION_MS = 20_000;

function optionsFor(url: string, serverSelectionTimeoutMS: number): MongoClientOptions {
  // The driver takes the names of options in any case.
  const said = url.toLowerCase();
  const unsaid = Object.entries({ ...clientTimeouts, serverSelectionTimeoutMS }).filter(
    ([name]) => !said.includes(`${name.toLowerCase()}=`),
  );
  return { ...promises, ...Object.fromEntries(unsaid) };
}

/** For every read: a badly written query ends, instead of loading the server for ever. */
export const readLimits = { maxTimeMS: 60_000 } as const;

/** The database in a connection string, between the hosts and the options; `oja` if it names none. */
function databaseIn(url: string): string {
  const [, name = ''] = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]*)/.exec(url) ?? [];
  return decodeURIComponent(name) || defaultName;
}

/** Replaces the driver's error for an address that it cannot read, which may repeat the password. */
function clientFor(url: string, timeoutMs: number): MongoClient {
  try {
    return new MongoClient(url, optionsFor(url, timeoutMs));
  } catch {
    throw new StoreUnavailable(
      'MongoDB',
      'MONGODB_URL is no address that the driver of MongoDB can read: in its name and password, characters like @ : / ? % must be percent-encoded',
      true,
    );
  }
}

/** The server's description of itself. Servers before 4.4.2 know the command by its old name only. */
async function helloFrom(client: MongoClient): Promise<Document> {
  const admin = client.db('admin');
  try {
    return await admin.command({ hello: 1 });
  } catch (error) {
    if (!hasCode(error, commandNotFound)) throw error;
    return admin.command({ isMaster: 1 });
  }
}

/** A connected client, whose server has transactions. */
async function clientAt(url: string, timeoutMs: number): Promise<MongoClient> {
  const client = clientFor(url, timeoutMs);
  try {
    const hello = await orUnavailable(async () => {
      await client.connect();
      return helloFrom(client);
    });
    if (hello.setName === undefined && hello.msg !== 'isdbgrid') {
      throw new StoreUnavailable(
        'MongoDB',
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

/** The one client of this process for each address: all engines share it and its monitoring of the servers. */
const shared = new Map<string, { readonly client: Promise<MongoClient>; users: number }>();

/**
 * Connects; connections to one address share a client.
 * @throws StoreUnavailable when no server answers, for an address that the driver cannot read, and for a
 *   server outside a replica set, which has no transactions.
 */
export const connectMongo: ConnectMongo = async (url, timeoutMs = ELECTION_MS) => {
  const used = shared.get(url) ?? { client: clientAt(url, timeoutMs), users: 0 };
  shared.set(url, used);
  used.users += 1;
  /** Ends this use of the client; returns whether it was the last. */
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

/** What all engines in MongoDB are opened with. */
export interface MongoOptions {
  /** `mongodb://` or `mongodb+srv://`, with the name of the database; default `oja`. */
  readonly url: string;
  readonly connect?: ConnectMongo;
  /** How long to wait for a primary, in milliseconds. Default 20,000. */
  readonly timeoutMs?: number;
  /** For reading a server: nothing that is missing is created. Default: false. */
  readonly createsNothing?: boolean;
}

/** An engine's database, and how to let go of its connection. */
export interface MongoDatabase {
  readonly client: MongoClient;
  readonly db: Db;
  close(): Promise<void>;
}

/** Opens the database that the address names, with `suffix` after its name. @throws StoreUnavailable */
export async function openDatabase(
  { url, connect = connectMongo, timeoutMs }: MongoOptions,
  suffix = '',
): Promise<MongoDatabase> {
  const { client, name, close } = await connect(url, timeoutMs);
  return { client, db: client.db(`${name}${suffix}`), close };
}

/** Does what must be done before an engine can be used, and closes it where that fails. @throws what `prepare` throws. */
export async function prepared(
  close: () => Promise<void>,
  prepare: () => Promise<void>,
): Promise<void> {
  try {
    await prepare();
  } catch (error) {
    await close();
    throw error;
  }
}

const otherOptions = 85;

/** Makes MongoDB remove documents `seconds` after the date in `field`; an existing index gets the new time. */
export async function ensureTtlIndex<T extends Document>(
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
