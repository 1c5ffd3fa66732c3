import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createImages,
  createMemoryState,
  createMemoryStateData,
  type Images,
  type State,
} from '@oja/platform';
import Koa from 'koa';
import { createImageHost, type ImageHost, type ImageHostOptions } from '../src/image-host/index.js';
import { listen, stop, urlOf } from './sandbox.js';

/** The image host over real HTTP in a folder of its own. */
export interface HostUnderTest {
  readonly url: string;
  readonly dir: string;
  readonly images: Images;
  readonly host: ImageHost;
  readonly state: State;
  now(): number;
  pass(ms: number): void;
  send(form: FormData): Promise<Response>;
  close(): Promise<void>;
}

export async function startImageHost(more: Partial<ImageHostOptions> = {}): Promise<HostUnderTest> {
  let now = Date.UTC(2026, 0, 5, 9);
  const state = createMemoryState(createMemoryStateData());
  const dir = await mkdtemp(join(tmpdir(), 'oja-images-'));
  const app = new Koa();
  // Clients that break off are part of the tests.
  app.silent = true;
  app.use((ctx, next) => host.upload(ctx, next)).use((ctx, next) => host.view(ctx, next));
  const server = await listen(createServer(app.callback()));
  const url = urlOf(server);
  const host: ImageHost = createImageHost({
    dir,
    state,
    publicUrl: url,
    clock: { now: () => now },
    uploadsPerHour: null,
    ...more,
  });
  return {
    url,
    dir,
    host,
    state,
    images: createImages({ publicUrl: url }),
    now: () => now,
    pass(ms) {
      now += ms;
    },
    send: (form) => fetch(`${url}/v1_1/oja/image/upload`, { method: 'POST', body: form }),
    async close() {
      await stop(server);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export function formWith(bytes: Buffer | null, preset: string | null = 'oja'): FormData {
  const form = new FormData();
  if (preset !== null) form.set('upload_preset', preset);
  if (bytes !== null) form.set('file', new Blob([new Uint8Array(bytes)]), 'my bag.jpg');
  return form;
}
