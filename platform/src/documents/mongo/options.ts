import type { ConnectMongo } from '../../mongo/connection.js';

export interface MongoDocumentsOptions {
  /** `mongodb://` or `mongodb+srv://`; the database it names, or `oja`. */
  readonly url: string;
  readonly connect?: ConnectMongo;
}
