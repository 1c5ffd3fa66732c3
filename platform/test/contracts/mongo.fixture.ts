import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';

/** The printed reason why tests on MongoDB are skipped. */
export const noMongo = 'MONGODB_URL is not set';

/** A new database for one test on this server, with the same URL options; `remove` drops it. */
export function mongoDatabase(server: string): { readonly url: string; remove(): Promise<void> } {
  const name = `oja_test_${randomUUID().slice(0, 8)}`;
  const [, hosts = server, options = ''] =
    /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(server) ?? [];
  const url = `${hosts}/${name}${options}`;
  return {
    url,
    async remove() {
      const client = new MongoClient(url);
      for (const suffix of ['', '_state', '_keys'])
        await client.db(`${name}${suffix}`).dropDatabase();
      await client.close();
    },
  };
}
