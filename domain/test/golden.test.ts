import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { businessNameEvents } from '../src/business-name.js';
import { contactEvents } from '../src/contact.js';
import { checkNew, parserOf } from '../src/decider.js';
import { inboxEvents } from '../src/inbox.js';
import { operationsEvents } from '../src/operations.js';
import { productEvents } from '../src/product/product.js';
import { reviewEvents } from '../src/review.js';
import { sellerEvents } from '../src/seller.js';
import { transactionEvents } from '../src/transaction/events.js';

/** The schema of every event type. */
const eventSchemas = {
  ...sellerEvents,
  ...businessNameEvents,
  ...productEvents,
  ...transactionEvents,
  ...reviewEvents,
  ...inboxEvents,
  ...contactEvents,
  ...operationsEvents,
};
const parseAnyEvent = parserOf(eventSchemas);

/**
 * The data of one event of every type and version, as logs hold it: `<Type>.v<schema version>.json`;
 * `<Type>-<field>.v…` has a field that was added later. A released file never changes, and every later
 * release must read it.
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

/**
 * What the readers of a release require of each event type: its `eventSchemas`, as `z.toJSONSchema` describes
 * their input. Services of that release read our events during a deploy and after a rollback.
 */
const readers = new URL('readers/', import.meta.url);
const releases = readdirSync(readers).map((name) => name.replace(/\.json$/, ''));

/** Events with a reason that a release cannot read. They were written for a while and are not any more. */
const unread: Readonly<Record<string, readonly string[]>> = {
  '0.1.0': ['PaymentMismatched-erased.v1.json', 'PaymentMismatched-soldout.v1.json'],
};

describe.each(releases)('the readers of %s', (release) => {
  const schemas = z
    .record(z.string(), z.record(z.string(), z.json()))
    .parse(JSON.parse(readFileSync(new URL(`${release}.json`, readers), 'utf8')));
  /** Whether the release can read the event. It skips types that it does not know. */
  const reads = (file: string): boolean => {
    const schema = schemas[named.exec(file)?.[1] ?? ''];
    return schema === undefined || z.fromJSONSchema(schema).safeParse(written(file)).success;
  };

  it('read every event that is written today, also with fields that they do not know', () => {
    expect(Object.keys(schemas).length).toBeGreaterThan(20);
    expect(files.filter((file) => !reads(file))).toEqual(unread[release] ?? []);
  });

  it('ask for what they always did', () => {
    const [first = ''] = files.filter((file) => file.startsWith('OrderPlaced'));
    const { reference: _, ...without } = written(first);
    const schema = schemas.OrderPlaced;
    expect(schema && z.fromJSONSchema(schema).safeParse(without).success).toBe(false);
  });
});
