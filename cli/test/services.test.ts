import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort, type Running, runOja, temporaryFolder } from '../../test/support/market.js';
import { oja, ojaJson } from './support/oja.js';
import { openFiles } from './support/opened.js';

interface Status {
  readonly running: boolean;
  readonly processes: readonly { readonly service: string; readonly pid: number }[];
  readonly problems: readonly string[];
  readonly projections: readonly {
    readonly projection: string;
    readonly lastError: { readonly time: string; readonly message: string } | null;
  }[];
}

const base = temporaryFolder();
const folder = join(base.path, 'market');
const copy = join(base.path, 'backup');
let projector: Running;
let port: number;

beforeAll(async () => {
  port = await freePort();
  const env = { PORT: `${port}`, DATA_DIR: folder, PUBLIC_URL: 'http://localhost', OJA_DEMO: '1' };
  projector = runOja(['start', 'projector'], env);
  await projector.line(/"msg":"open"/);
}, 60_000);

afterAll(async () => {
  await projector?.stop();
  base.remove();
});

const status = () => ojaJson<Status>(folder, ['status']);
const restoring = ['restore', copy, '--yes'];

async function appendPoison(): Promise<void> {
  const { eventStore, close } = await openFiles(folder);
  const id = randomUUID();
  const metadata = {
    actor: 'test',
    commandId: id,
    correlationId: id,
    causationId: id,
    time: new Date().toISOString(),
    schemaVersion: 1,
  };
  await eventStore.append('review-of-a-test', 'no-stream', [
    { id, type: 'ReviewPosted', data: { stars: 'many' }, metadata },
  ]);
  await close();
}

it('a service that was started alone is known, and so is what it said on its own output', async () => {
  expect(await status()).toMatchObject({
    running: true,
    processes: [{ service: 'projector', pid: projector.process.pid }],
    problems: ['command-service does not run', 'query-service does not run'],
  });
  await appendPoison();
  const errorOf = async (name: string) =>
    (await status()).projections.find(({ projection }) => projection === name)?.lastError?.message;
  await expect
    .poll(() => errorOf('reviews'), { timeout: 30_000 })
    .toMatch(/a projection stopped at an event: /);
  expect((await oja(folder, ['status'])).text).toMatch(/^reviews: .*a projection stopped/m);
});

it('the plan of a start is shown beside services that run, whoever has the port meanwhile', async () => {
  const env = { PORT: `${port}`, PUBLIC_URL: 'http://localhost', OJA_DEMO: '1' };
  for (const services of [[], ['projector']]) {
    const { code, text } = await oja(folder, ['start', ...services, '--plan'], env);
    expect([code, text]).toEqual([0, expect.stringMatching(/^It would open\.$/m)]);
  }
  // This one would have to listen there itself.
  const other = await oja(folder, ['start', 'query-service', '--plan'], env);
  expect([other.code, other.text]).toEqual([78, expect.stringMatching(/is taken/)]);
});

it('nothing is restored over a service that runs, and then it is', async () => {
  expect(await oja(folder, ['backup', copy])).toMatchObject({ code: 0 });
  const refused = await oja(folder, restoring);
  expect(refused.code).toBe(78);
  expect(refused.text).toMatch(
    /projector runs on the folder .* stop it first; nothing was changed/,
  );
  expect(await status()).toMatchObject({ running: true });

  expect(await projector.stop()).toBe(0);
  expect(await status()).toMatchObject({ running: false, processes: [] });
  expect(await oja(folder, restoring)).toMatchObject({ code: 0 });
});

it('shows the pictures of its own host after the market has moved to Cloudinary', async () => {
  const port = await freePort();
  const commands = runOja(['start', 'command-service'], {
    PORT: `${port}`,
    DATA_DIR: join(base.path, 'moved'),
    PUBLIC_URL: 'http://localhost',
    OJA_DEMO: '1',
    CLOUDINARY_URL: 'https://api.cloudinary.com/v1_1/a-market/image/upload',
    CLOUDINARY_PRESET: 'goods',
  });
  await commands.line(/"msg":"open"/);
  const pictures = join(base.path, 'moved', 'pictures', 'originals');
  mkdirSync(pictures, { recursive: true });
  writeFileSync(join(pictures, 'earlier.webp'), 'a picture');
  const shown = await fetch(`http://localhost:${port}/v1/image/earlier.webp`);
  expect([shown.status, await shown.text()]).toEqual([200, 'a picture']);
  const form = new FormData();
  form.set('file', new Blob(['a picture']), 'new.webp');
  const upload = `http://localhost:${port}/v1_1/oja/image/upload`;
  expect((await fetch(upload, { method: 'POST', body: form })).status).toBe(404);
  expect(await commands.stop()).toBe(0);
});
