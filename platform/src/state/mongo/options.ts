import type { ConnectMongo } from '../../mongo/connection.js';

export interface MongoStateOptions {
  /** `mongodb://` or `mongodb+srv://`; the database is the one it names, or `oja`, with `_state`. */
  readonly url: string;
  readonly connect?: ConnectMongo;
}
