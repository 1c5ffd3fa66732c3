/**
 * Requests through the whole market, which runs as one process on a loopback port: `add-product` by
 * a signed-in seller and `transaction/initialize` by shoppers, one at a time and several at once.
 * Baseline: `/v1/settings`, which touches no engine: the cost of HTTP itself.
 *
 *   npm run bench -- requests [seconds]
 */
import { randomUUID } from 'node:crypto';
import { call, order } from './lib/calls.mjs';
import { line, perSecond, rate, spread } from './lib/figures.mjs';
import { inFolder } from './lib/folder.mjs';
import { openMarket, settingsIn } from './lib/market.mjs';

const MS = Number(process.argv[2] ?? 10) * 1000;
const AT_ONCE = 16;

async function measure(one, atOnce) {
  const took = [];
  const began = performance.now();
  async function client() {
    while (performance.now() - began < MS) {
      const at = performance.now();
      await one();
      took.push(performance.now() - at);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, client));
  return { found: perSecond(took.length, performance.now() - began), took };
}

const register = (url) =>
  call(url, '/v1/register', {
    name: 'A seller of the bench',
    businessName: 'Bench Stall',
    phone_1: '07000000001',
    password: 'a long enough secret',
  });

function product(url, name) {
  const updatedInput = {
    prod_name: name,
    price: 11_500,
    description: 'A bag of wax print.',
    subcategory_id: 1,
    state: 'Lagos',
    local_govt: 'Ikeja',
    color: 'blue',
  };
  const imageUrls = ['one.webp', 'two.webp'].map((image) => `${url}/v1/image/${image}`);
  return { updatedInput, imageUrls };
}

await inFolder(async (folder) => {
  const market = await openMarket(await settingsIn(folder));
  const { url } = market;
  try {
    const { accessToken } = await register(url);
    const { result } = await call(url, '/v1/products/search?limit=1');
    const signedIn = { Authorization: `Bearer ${accessToken}` };
    const calls = {
      'add-product': () =>
        call(url, '/v1/add-product', product(url, `Ankara tote ${randomUUID()}`), signedIn),
      'transaction/initialize': () => call(url, '/v1/transaction/initialize', order(result[0])),
    };
    for (const atOnce of [1, AT_ONCE]) {
      const bare = await measure(() => call(url, '/v1/settings'), atOnce);
      line(`settings, ${atOnce} at once`, `${rate(bare.found)}, ${spread(bare.took)}`);
      for (const [name, one] of Object.entries(calls)) {
        const { found, took } = await measure(one, atOnce);
        line(`${name}, ${atOnce} at once`, `${rate(found)}, ${spread(took)}`, {
          value: found / bare.found,
          of: 'settings',
        });
      }
    }
  } finally {
    await market.close();
  }
});
