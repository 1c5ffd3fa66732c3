import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkNew } from '../src/decider.js';
import { eventSchemas, parseAnyEvent } from '../src/events.js';

/**
 * One event of every type and version as it stands in logs: `<Type>.v<schema version>.json`, with its
 * data; `<Type>-<field>.v…` has a field that was added later. A file is never changed once it was
 * released, and is read for ever.
 */
const folder = new URL('golden/', import.meta.url);
const files = readdirSync(folder).sort();
const CURRENT_VERSION = 1;
const named = /^([A-Za-z]+)(?:-[a-z]+)?\.v(\d+)\.json$/;
const written = (file: string) =>
  z.record(z.string(), z.json()).parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8')));

describe.each(files)('%s', (file) => {
  const [, type = '', version = ''] = named.exec(file) ?? [];

  it('names its type and version', () => {
    expect(Object.keys(eventSchemas)).toContain(type);
    expect(Number(version)).toBeLessThanOrEqual(CURRENT_VERSION);
  });

  it('can be read', () => {
    expect(parseAnyEvent(type, written(file))).toMatchObject({ type });
  });

  it.runIf(Number(version) === CURRENT_VERSION)('is read whole, and could be written today', () => {
    const data = written(file);
    expect(parseAnyEvent(type, data)).toEqual({ type, data });
    expect(() => checkNew(eventSchemas, { type, data })).not.toThrow();
  });
});

it.each(Object.keys(eventSchemas))('%s has its file', (type) => {
  expect(files).toContain(`${type}.v${CURRENT_VERSION}.json`);
});
