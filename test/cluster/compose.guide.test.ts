import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/market.js';
import { read, readCompose } from './compose.js';

const { services } = readCompose();

describe('The guide to the containers', () => {
  const [, section = ''] = read('docs/deploy.md').split('\n## Containers\n');
  const [, upgrade = ''] = /\*\*Upgrade\.\*\*[\s\S]*?```sh\n([\s\S]*?)```/.exec(section) ?? [];
  const steps = upgrade.trim().split('\n');

  it('builds the image of a new release before anything of it is run', () => {
    const [first, second] = steps;
    expect(first).toMatch(/^git pull\b/);
    // Compose builds by itself only where there is no image yet.
    expect(second).toBe('docker compose build');
    expect(upgrade).toMatch(/build\n.*run --rm --no-deps command-service start --plan\b/);
    expect(steps).toContain('docker compose up --detach');
  });

  it('gives the edge the new table of calls, which it would not read by itself', () => {
    // Git puts a new file in the place of the mounted one, and the container keeps the old one until it is made anew.
    expect(services.edge?.volumes).toEqual(['./deploy/nginx.conf:/etc/nginx/edge.conf:ro']);
    expect(steps.at(-1)).toBe('docker compose up --detach --no-deps --force-recreate edge');
    expect(steps.indexOf('docker compose up --detach')).toBe(steps.length - 2);
  });
});

it('The guide to backups copies what only the data volume holds, and brings it back', () => {
  const lines = [
    ...read('docs/operations.md').matchAll(
      /^ *docker compose run --rm --no-deps -T --entrypoint tar command-service (.*)$/gm,
    ),
  ].map(([, rest = '']) => rest);
  expect(lines).toHaveLength(2);
  expect(services['command-service']?.volumes).toContain('data:/data');
  expect(services['command-service']?.environment.DATA_DIR).toBe('/data');
  const place = temporaryFolder();
  const [volume, another] = ['old', 'new'].map((name) => join(place.path, name));
  if (volume === undefined || another === undefined) throw new Error('no places');
  for (const path of [join(volume, 'pictures'), another]) mkdirSync(path, { recursive: true });
  for (const name of ['oja-data.json', 'pictures/a.jpg', 'jobs.db'])
    writeFileSync(join(volume, name), name);
  for (const [n, data] of [volume, another].entries())
    execFileSync('sh', ['-c', `tar ${lines[n]?.replace('/data', data)}`], { cwd: place.path });
  const came = readdirSync(another, { recursive: true, encoding: 'utf8' }).sort();
  expect(came).toEqual(['oja-data.json', 'pictures', 'pictures/a.jpg']);
  place.remove();
});
