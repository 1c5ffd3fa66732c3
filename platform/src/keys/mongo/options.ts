import type { ConnectMongo } from '../../mongo/connection.js';

export interface MongoKeysOptions {
  /** `mongodb://` or `mongodb+srv://`; the database is the one it names, or `oja`, with `_keys`. */
  readonly url: string;
  /** 32 bytes: what KEYS_MASTER_KEY decodes to. Never written anywhere. */
  readonly masterKey: Buffer;
  readonly connect?: ConnectMongo;
}
