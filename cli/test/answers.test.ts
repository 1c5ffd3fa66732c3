import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, type ParkedStream, QUARANTINE, type RecordedEvent } from '@oja/platform';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { freePort, temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import { registerSeller } from '../../test/thread/walk.js';
import { type AnswerName, answers, failure } from '../src/answers/index.js';
import { addCommands } from '../src/command-line/index.js';
import { oja } from './support/oja.js';
import { openFiles } from './support/opened.js';

const program = () => {
  const made = new Command('oja').enablePositionalOptions().exitOverride();
  addCommands(made);
  return made;
};

/** The whole names of all commands that answer programs. */
function answering(of: Command, before = ''): readonly string[] {
  return of.commands.flatMap((command) => {
    const name = `${before} ${command.name()}`.trim();
    const own = command.options.some(({ long }) => long === '--json') ? [name] : [];
    return [...own, ...answering(command, name)];
  });
}

it('knows what every command with --json prints, and of no other', () => {
  expect(Object.keys(answers).sort()).toEqual([...answering(program())].sort());
});

/** Where its objects may have members that it does not name. */
function openObjects(schema: unknown, at = ''): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const isOpen = 'properties' in schema && !('additionalProperties' in schema);
  const below = Object.entries(schema).flatMap(([name, part]) =>
    openObjects(part, `${at}/${name}`),
  );
  const loose =
    'properties' in schema &&
    'additionalProperties' in schema &&
    schema.additionalProperties !== false;
  return isOpen || loose ? [at, ...below] : below;
}
/** A line of a log says what its writer wants, and so does a schema. */
const open: readonly string[] = ['logs', 'schema'];

it.each(Object.entries(answers).filter(([name]) => !open.includes(name)))(
  'says all that %s prints',
  (_, { schema }) => {
    const json = z.toJSONSchema(schema, { io: 'input' });
    expect(json.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(openObjects(json)).toEqual([]);
  },
);

/** What answers count and measure that is no money: a number that is not listed here says that it is kobo. */
const counted = new Set(
  `active added attempts bytes bytesSearched callsSeconds complaints count cpu delayed disputedPayments documents erasedAgain
  erasedStillHeld eventLoopP99Ms events eventsPerSecond exitCode failed failedPerSecond files filesSearched format
  free from generation generations goods goodsRemoved keys known live log memoryBytes ms needed next open orders
  ordersPaid ordersPlaced others overdue p50Ms p99Ms parked payableShares pictures pid port products read readable
  requestsPerSecond revision rewrapped schemaVersion sealed seconds seed sellers sessionsEnded spare state status
  streams to tries types unbalanced version versions waiting`.split(/\s+/),
);

interface Told {
  readonly name: string;
  readonly says: string;
}

/** Every number of a schema: the member it is of, and what is said of it. */
function numbersIn(schema: unknown, name = '', before = ''): readonly Told[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const {
    type,
    description: says = before,
    properties,
    ...parts
  } = schema as {
    readonly type?: string;
    readonly description?: string;
    readonly properties?: object;
  };
  const own = type === 'integer' || type === 'number' ? [{ name, says }] : [];
  return [
    ...own,
    ...Object.entries(properties ?? {}).flatMap(([each, part]) => numbersIn(part, each)),
    ...Object.values(parts).flatMap((part) => numbersIn(part, name, says)),
  ];
}

it.each(Object.entries({ ...answers, '--error': { schema: failure } }))(
  'says of all money in what %s prints that it is kobo',
  (command, { schema }) => {
    const numbers = numbersIn(z.toJSONSchema(schema, { io: 'input' }));
    // How many shares are to be paid.
    const isCounted = ({ name }: Told) =>
      counted.has(name) || (command === 'top' && name === 'payable');
    expect(numbers.filter((told) => !isCounted(told) && !told.says.startsWith('Kobo'))).toEqual([]);
  },
);

it('knows which of the answers are about money', () => {
  const about = Object.entries(answers).flatMap(([command, { schema }]) =>
    numbersIn(z.toJSONSchema(schema, { io: 'input' })).flatMap(({ name, says }) =>
      says.startsWith('Kobo') ? [`${command}: ${name}`] : [],
    ),
  );
  expect([...new Set(about)].sort()).toEqual([
    'dispute list: paid',
    'dispute list: share',
    'dispute settle: amount',
    'payouts end: amount',
    'payouts list: amount',
    'payouts mark-paid: amount',
    'status: heldAside',
    'status: payable',
    'status: refundsDue',
    'trace: amount',
  ]);
});

const folder = temporaryFolder();
const dataDir = join(folder.path, 'data');
const at = (name: string) => join(folder.path, name);

interface Ids {
  readonly product: string;
  readonly seller: string;
  readonly delivered: string;
  readonly contact: string;
}
let ids: Ids;

/** Runs a command in this process, as `oja` does; answers what it printed. */
async function printed(args: readonly string[], home = dataDir): Promise<string> {
  let text = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    text += String(part);
    return true;
  });
  try {
    await program().parseAsync([...args, '--data-dir', home], { from: 'user' });
  } finally {
    write.mockRestore();
    process.exitCode = undefined;
  }
  return text.trimEnd();
}

const seen = new Set<string>();

/** Runs a command with --json and holds each text that it prints to the command's schema. */
async function answered<T = unknown>(
  name: AnswerName,
  args: readonly string[] = [],
  home = dataDir,
): Promise<readonly T[]> {
  const text = await printed([...name.split(' '), ...args, '--json'], home);
  const { schema = z.never(), perLine = false } = answers[name] ?? {};
  const values: unknown[] = (perLine ? text.split('\n') : [text]).map((line) => JSON.parse(line));
  for (const value of values) {
    const parsed = schema.safeParse(value);
    expect(parsed.success ? '' : `${z.prettifyError(parsed.error)}\n${JSON.stringify(value)}`).toBe(
      '',
    );
  }
  seen.add(name);
  return values as readonly T[];
}

/** Appends to a stream what no rule of the market has let through; answers nothing. */
async function append(stream: string, type: string, data: { readonly [key: string]: Json }) {
  const opened = await openFiles(dataDir);
  let last: RecordedEvent | null = null;
  for await (const event of opened.eventStore.readStream(stream)) last = event;
  if (last === null) throw new Error(`there is no ${stream}`);
  const { metadata, revision } = last;
  const event = { id: randomUUID(), type, data, metadata };
  expect((await opened.eventStore.append(stream, revision, [event])).ok).toBe(true);
  await opened.close();
}

beforeAll(async () => {
  // No command of this file may take the port of a market that somebody has open.
  vi.stubEnv('PORT', `${await freePort()}`);
  const market = await openSampleMarket(dataDir);
  const { details } = await registerSeller(market.url, 'Erasable Store');
  const letter = { name: 'Ada', email: 'a@example.com', subject: 'Hi', message: 'Hello?' };
  const sent = await fetch(`${market.url}/v1/email/sendEmail`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(letter),
  });
  expect(sent.ok).toBe(true);
  await answered('status');
  await answered('top', ['--interval', '1']);
  await market.stop();
  const opened = await openFiles(dataDir);
  const found = new Map<
    string,
    { readonly stream: string; readonly data: { [key: string]: unknown } }
  >();
  for await (const { type, stream, data } of opened.eventStore.readAll({ after: null }))
    if (!found.has(type)) found.set(type, { stream, data });
  await opened.close();
  ids = {
    product: found.get('ProductListed')?.stream ?? '',
    seller: `seller-${details.user_id}`,
    delivered: String(found.get('DeliveryConfirmed')?.data.transactionId),
    contact: String(found.get('ContactMessageReceived')?.data.contactId),
  };
});
afterAll(() => {
  vi.unstubAllEnvs();
  folder.remove();
});

describe('prints what its schema says', () => {
  it('of how the market does', async () => {
    await answered('status');
    await answered('top', ['--interval', '1']);
    await answered('logs', ['-n', '200']);
    await answered('config');
    await answered('start', ['--plan']);
    await answered('completion', ['bash']);
    await answered('schema');
    await answered('schema', ['payouts', 'list']);
    await answered('schema', ['--error']);
  });

  it('of the log', async () => {
    await answered('events', ['--after', '0', '-n', '2000']);
    await answered('events tail', ['-n', '50']);
    await answered('events show', [ids.product]);
    for (const stream of [ids.product, ids.seller, `transaction-${ids.delivered}`])
      for (const time of ['2020-01-01', new Date().toISOString()])
        await answered('events show', [stream, '--at', time]);
    await answered('events stats');
    await answered('trace', [ids.delivered]);
    await answered('trace', ['Adunni Textiles', '-n', '2']);
  });

  it('of read models', async () => {
    await answered('verify', ['sellers', 'ledger']);
    for (const step of ['plan', 'start', 'watch', 'verify', 'switch', 'rollback'])
      await answered('replay', [step, 'sellers']);
    await answered('replay', ['clean', 'sellers', '--yes']);
    await answered('replay', ['sellers']);
    await answered('replay', ['sellers', 'reviews']);
    await answered('replay', ['sellers', '--stream', ids.seller]);
  });

  it('of a stream that waits', async () => {
    await append(ids.product, 'ProductUpdated', { productId: ids.product.slice(8), price: 'much' });
    await expect(printed(['verify', 'catalogue'])).resolves.toBeTruthy();
    const [rows = []] = await answered<readonly ParkedStream[]>('quarantine list');
    const [parked] = rows;
    if (parked === undefined) throw new Error('nothing is parked');
    await answered('verify', ['catalogue']);
    await answered('quarantine show', ['catalogue', ids.product]);
    await answered('quarantine skip', ['catalogue', ids.product, '--reason', 'a test']);
    // As after a release that can read it: it passes.
    const opened = await openFiles(dataDir);
    const { role: _, ...document } = { role: '', ...parked };
    const id = `${parked.model}/${parked.stream}`;
    await opened.documents.commit([{ type: 'put', collection: QUARANTINE, id, document }]);
    await opened.close();
    await answered('quarantine retry', ['catalogue', ids.product]);
  });

  it('of money', async () => {
    interface Owed {
      readonly transactionId: string;
      readonly sellerId: string;
      readonly amount: number;
    }
    const named = ({ transactionId, sellerId }: Owed) => [transactionId, '--seller', sellerId];
    const [[dispute] = []] = await answered<readonly Owed[]>('dispute list');
    const [[first, second] = []] = await answered<readonly Owed[]>('payouts list');
    if (dispute === undefined || first === undefined || second === undefined)
      throw new Error('the sample market has too little');
    await answered('trace', [dispute.transactionId]);
    const note = ['--note', 'never sent', '--yes'];
    await answered('dispute settle', [...named(dispute), '--refund', ...note]);
    await answered('payouts mark-paid', [...named(first), '--yes']);
    await answered('payouts mark-paid', [...named(first), '--yes']);
    const { transactionId, sellerId, amount } = second;
    const payoutId = `${transactionId}_0_0`;
    const share = { transactionId, sellerId, payoutId, amount, method: 'manual' };
    const now = new Date().toISOString();
    await append(`transaction-${transactionId}`, 'PayoutRequested', { ...share, at: now });
    await answered('payouts list');
    await answered('payouts end', [...named(second), '--reason', 'wrong account', '--yes']);
  });

  it('of people', async () => {
    await answered('admin grant', ['Adunni Textiles']);
    await answered('admin grant', ['Adunni Textiles']);
    await answered('admin revoke', ['Adunni Textiles']);
    await answered('seller reset-password', ['Adunni Textiles']);
    await answered('remove-delivered', ['--dry-run']);
    await answered('erase', ['--transaction', ids.delivered, '--yes']);
    await answered('erase', ['--contact', ids.contact, '--yes']);
    await answered('erase', ['--seller', 'Erasable Store', '--yes']);
    await answered('remove-delivered', ['--before', new Date().toISOString(), '--yes']);
  });

  it('of copies', async () => {
    const backups = at('backups');
    mkdirSync(backups);
    await answered('backup', [join(backups, 'one'), '--keys', join(at('vault'), 'one')]);
    const pruned = ['--keys', at('vault'), '--keep', '1'];
    await answered('backup list', [backups]);
    await answered('backup', [join(backups, 'two'), '--keys', join(at('vault'), 'two')]);
    await answered('backup prune', [backups, ...pruned, '--dry-run']);
    await answered('backup prune', [backups, ...pruned, '--yes']);
    await answered('backup key', [at('backup.key')]);
    const two = [join(backups, 'two'), '--keys', join(at('vault'), 'two')];
    await answered('drill', ['--in', folder.path, '--from', ...two]);
    await answered('restore', [...two, '--yes']);
  });

  it('of what is carried elsewhere', async () => {
    const [log, market, other, third] = ['log.gz', 'market.gz', 'other', 'third'].map(at);
    await answered('export', [log ?? '']);
    await answered('import', [log ?? '', '--dry-run']);
    await answered('import', [log ?? ''], other);
    await answered('keys rotate', ['--dry-run']);
    await answered('keys rotate', ['--yes']);
    await answered('move out', [market ?? '']);
    mkdirSync(third ?? '');
    copyFileSync(join(dataDir, 'secrets.json'), join(third ?? '', 'secrets.json'));
    await answered('move in', [market ?? '', '--dry-run'], third);
    await answered('move in', [market ?? ''], third);
    await answered('move reopen', ['--yes']);
    const few = ['--products', '4', '--sellers', '2', '--orders', '1', '--seed', '7'];
    await answered('seed', few);
  });

  it('of every command', () => {
    expect([...seen].sort()).toEqual(Object.keys(answers).sort());
  });
});

it('prints the schema of one command, and of what fails', async () => {
  const { code, text } = await oja(dataDir, ['schema', 'events', 'tail']);
  expect(code).toBe(0);
  expect(JSON.parse(text)).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'oja events tail --json, each line',
    type: 'object',
    additionalProperties: false,
  });
  const error = await oja(dataDir, ['schema', '--error', '--json']);
  expect(JSON.parse(error.text).properties).toMatchObject({ exitCode: { type: 'integer' } });
});

it.each([
  [['help', 'statsu'], "There is no command 'statsu'; the nearest is status."],
  [['schema', 'statsu'], "There is no command with --json 'statsu'; the nearest is status."],
  [['schema', 'payouts'], /^There is no command with --json 'payouts'; the nearest is payouts /],
  [['schema', 'status', '--error'], "Say --error or 'status', and not both."],
])('ends %j with a sentence', async (args, sentence) => {
  const { code, lines } = await oja(dataDir, args);
  expect({ code, lines }).toEqual({
    code: 2,
    lines: [sentence instanceof RegExp ? expect.stringMatching(sentence) : sentence],
  });
});

it.each([
  [['schema', 'nope'], 2],
  [['payouts', 'list', '--nope'], 2],
  [['trace', 'nope', '--data-dir', at('nowhere')], 78],
] as const)('tells a program why %j failed, as its schema says', async (args, exitCode) => {
  const { code, text } = await oja(dataDir, [...args, '--json']);
  expect(code).toBe(exitCode);
  expect(failure.parse(JSON.parse(text))).toMatchObject({ exitCode });
});
