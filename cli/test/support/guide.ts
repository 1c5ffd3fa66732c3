import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  freePort,
  type Market,
  openMarket,
  runOja,
  temporaryFolder,
} from '../../../test/support/market.js';
import { openSampleMarket } from '../../../test/support/sample-market.js';
import { registerSeller } from '../../../test/thread/walk.js';
import { oja, ojaJson } from './oja.js';
import { openS3, type S3StandIn } from './s3.js';

const ROOT = join(import.meta.dirname, '../../..');

/** Every document that people read, the guide to operations last. */
export const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/README.md',
  'docs/architecture.md',
  'docs/deploy.md',
  'docs/scaling.md',
  'bench/README.md',
  'docs/operations.md',
] as const;

/** Where the guide to operations goes on with copies: those commands have a market of their own. */
const COPIES = '\n## Back up and restore\n';

const textOf = (name: string) => readFileSync(join(ROOT, name), 'utf8');

/** What is done in a market as it is, and what is done with copies of it. */
export function halves(): readonly [string, string] {
  const [before, after, ...more] = documents.map(textOf).join('\n').split(COPIES);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`the documents have no one heading ${COPIES.trim()}`);
  return [before, after];
}

export interface Line {
  /** The name of what is run. */
  readonly program: string;
  readonly args: readonly string[];
  /** What stands before it. */
  readonly env: Readonly<Record<string, string>>;
}

const unquoted = (word: string) => word.replace(/^'(.*)'$/, '$1');

/** Every line of the documents' blocks, as a shell would read it; the README has `oja` by `npx`. */
export function linesOf(text: string): readonly Line[] {
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)];
  return blocks.flatMap(([, block = '']) =>
    block.split('\n').flatMap((line) => {
      const all: readonly string[] = (line.split(' #')[0] ?? '').trim().match(/'[^']*'|\S+/g) ?? [];
      const words = all.filter((word, at) => !(word === 'npx' && all[at + 1] === 'oja'));
      const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
      if (first < 0) return [];
      const env = Object.fromEntries(words.slice(0, first).map((word) => word.split('=', 2)));
      const [program = '', ...args] = words.slice(first).map(unquoted);
      return [{ program, args, env }];
    }),
  );
}

/** What there is nothing of in this market: no stream is parked, no transfer is under way, and the guide's buyer never was. */
const refusals: readonly (readonly [RegExp, number])[] = [
  [/^quarantine (show|retry|skip)/, 2],
  [/^payouts end/, 1],
  [/^trace buyer@/, 2],
  // The market runs: it is said what another start would find, and that it cannot be opened twice.
  [/^start --plan/, 78],
];
const codeOf = (text: string): number => refusals.find(([form]) => form.test(text))?.[1] ?? 0;
const endless = /^(start(?! --plan)|events tail --follow|logs --follow|status --watch)/;
/** What it says once it does what it is for. */
function openedBy(text: string): RegExp {
  if (text === 'start') return /^Oja is open/;
  return text.startsWith('start') ? /"msg":"open"/ : /./;
}

/**
 * Runs each `oja …` of a part of the documents, in the order in which they stand there, in a market of its
 * own with something of everything in it.
 */
export function runEach(part: string): void {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  /** Where the guide keeps the key of its backups. */
  const BACKUP_KEY = 'backup.key';
  let market: Market;
  let s3: S3StandIn;
  let ids: Readonly<Record<string, string>>;

  beforeAll(async () => {
    s3 = await openS3(['bucket', 'vault']);
    market = await openSampleMarket(dataDir);
    const { details } = await registerSeller(market.url, 'Erasable Store');
    await fetch(`${market.url}/v1/email/sendEmail`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        name: 'Ada',
        email: 'a@example.com',
        subject: 'Hi',
        message: 'Hello?',
      }),
    });
    const { lines } = await oja(dataDir, ['events', 'tail', '-n', '1000', '--json']);
    const events = lines.map((line) => JSON.parse(line));
    const of = (type: string) => events.find((event) => event.type === type);
    const [dispute] = await ojaJson<Record<string, string>[]>(dataDir, ['dispute', 'list']);
    const [payout] = await ojaJson<Record<string, string>[]>(dataDir, ['payouts', 'list']);
    ids = {
      product: of('ProductListed').stream,
      order: of('DeliveryConfirmed').data.transactionId,
      contact: of('ContactMessageReceived').data.contactId,
      correlation: of('SellerRegistered').metadata.correlationId,
      seller: details.businessName,
      dispute: dispute?.transactionId ?? '',
      disputed: dispute?.sellerId ?? '',
      payout: payout?.transactionId ?? '',
      payee: payout?.sellerId ?? '',
    };
  }, 120_000);

  afterAll(async () => {
    await market?.stop();
    await s3?.stop();
    folder.remove();
  });

  /** The name that a backup of the guide has got. */
  const backupName = () => [...s3.objects.keys()][0]?.split('/')[2] ?? '';

  /** The bucket and who may open it, for the commands that need them. */
  const s3Env = (args: readonly string[]): Readonly<Record<string, string>> =>
    args.some((arg) => arg.startsWith('s3://'))
      ? { ...s3.env, BACKUP_KEY_FILE: join(folder.path, BACKUP_KEY) }
      : {};

  /** What the guide leaves open, and folders of this test's own. */
  function filledIn({ args }: Line): string[] {
    const [first] = args;
    return args.map((arg, i) => {
      const before = args[i - 1];
      if (arg.startsWith('product-<id>')) return ids.product ?? '';
      if (arg === 'transaction-<id>') return `transaction-${ids.order}`;
      if (arg === '<transaction>') return (first === 'dispute' ? ids.dispute : ids.payout) ?? '';
      if (before === '--correlation' || before === '--request') return ids.correlation ?? '';
      if (before === '--transaction' || before === '--order') return ids.order ?? '';
      if (before === '--contact') return ids.contact ?? '';
      if (before === '--seller') {
        if (first === 'erase') return ids.seller ?? '';
        return (first === 'dispute' ? ids.disputed : ids.payee) ?? '';
      }
      if (arg.startsWith('s3://')) return arg.replace('<name>', backupName());
      if (/^(\/|market\.)/.test(arg) || arg === BACKUP_KEY) return join(folder.path, arg);
      return arg;
    });
  }

  /** As the guide says: a demo's are brought by hand. */
  function bringSecrets(home: string): void {
    mkdirSync(home, { recursive: true });
    copyFileSync(join(dataDir, 'secrets.json'), join(home, 'secrets.json'));
  }

  const commands = linesOf(part).filter(({ program }) => program === 'oja');

  it.each(commands.map((line) => [line.args.join(' '), line] as const))(
    'oja %s',
    async (text, line) => {
      const args = filledIn(line);
      const named = line.args.indexOf('--data-dir');
      const given = named < 0 ? line.env.DATA_DIR : line.args[named + 1];
      const home = given === undefined ? dataDir : join(folder.path, given);
      if (/^(restore|move out|keys rotate)/.test(text) && given === undefined) await market.stop();
      if (text.startsWith('move in')) bringSecrets(home);
      if (endless.test(text)) {
        const own = { DATA_DIR: home, PORT: `${await freePort()}` };
        const env = { ...line.env, ...own };
        const running = runOja(args, env);
        await running.line(openedBy(text));
        expect(await running.stop()).toBe(0);
      } else if (text.startsWith('status --check')) {
        // What fell due while the market was closed is done once it is known, not a sweep later.
        const check = async () => (await oja(home, args)).code;
        await expect.poll(check, { timeout: 30_000, interval: 500 }).toBe(0);
      } else {
        const { code, text: said } = await oja(home, args, s3Env(args));
        expect({ code, said }).toEqual({ code: codeOf(text), said });
      }
      if (/^(restore|move reopen|keys rotate --yes)/.test(text) && given === undefined)
        market = await openMarket(dataDir);
    },
    120_000,
  );

  const addresses = linesOf(part).flatMap(({ program, args: [address] }) =>
    program === 'curl' && address !== undefined ? [address] : [],
  );

  it.each(addresses)('curl %s', async (address) => {
    const { status } = await fetch(address.replace('http://localhost:8080', market.url));
    expect(status).toBe(200);
  });
}
