import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '../..');

export const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

/** The parts of a service that the tests read; other members are allowed. */
const service = z.object({
  image: z.string(),
  build: z.string().optional(),
  command: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  user: z.string(),
  read_only: z.boolean(),
  tmpfs: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()),
  cap_add: z.array(z.string()).optional(),
  network_mode: z.string().optional(),
  security_opt: z.array(z.string()),
  restart: z.string(),
  environment: z.record(z.string(), z.string()).default({}),
  env_file: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  networks: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  /** The default is for the service that exits. */
  healthcheck: z
    .object({
      test: z.array(z.string()),
      retries: z.number(),
      start_period: z.string().optional(),
    })
    .default({ test: [], retries: 0 }),
});
export type Service = z.infer<typeof service>;

const network = z.object({
  internal: z.boolean().optional(),
  ipam: z
    .object({
      config: z.array(
        z.object({ subnet: z.string(), ip_range: z.string(), gateway: z.string().optional() }),
      ),
    })
    .optional(),
});

const compose = z.object({
  services: z.record(z.string(), service),
  networks: z.record(z.string(), network),
  volumes: z.record(z.string(), z.unknown()),
});

/**
 * docker-compose.yml with anchors and merges resolved.
 * @throws ZodError when a service lacks a required member
 */
export const readCompose = () => compose.parse(parse(read('docker-compose.yml'), { merge: true }));

/** The variables of an env file, without the commented ones. */
export function readEnvFile(name: string): Readonly<Record<string, string>> {
  const lines = read(name)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
}
