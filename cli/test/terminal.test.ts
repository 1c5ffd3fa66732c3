import { join } from 'node:path';
import { projections } from '@oja/projector';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Market, runOja, temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import { oja, ojaJson } from './support/oja.js';
import { hasTerminal, onTerminal } from './support/terminal.js';

const folder = temporaryFolder();
const dataDir = join(folder.path, 'data');
let market: Market;

beforeAll(async () => {
  market = await openSampleMarket(dataDir);
}, 120_000);
afterAll(async () => {
  await market?.stop();
  folder.remove();
});

const ESCAPE = '\u001b';
const COLOURS = new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g');
/** Also where the cursor goes. */
const CONTROLS = new RegExp(`${ESCAPE}\\[[0-9;?]*[A-Za-z]`, 'g');
/** How far something has come, which is drawn over. */
const DRAWN_OVER = new RegExp(`\\r[^\\r\\n]*${ESCAPE}\\[K`, 'g');

const linesIn = (shown: string): readonly string[] =>
  shown.replace(DRAWN_OVER, '').replace(COLOURS, '').split(/\r*\n/);
/** What is copied whole: a word, and a command. */
const mayBeLonger = (line: string) => !line.trim().includes(' ') || /^ *(\S+=\S+ )?oja /.test(line);
const tooLong = (shown: string, columns: number) =>
  linesIn(shown).filter((line) => line.length > columns && !mayBeLonger(line));

/** What shows something and changes nothing of the market. */
const looks: readonly (readonly string[])[] = [
  ['status'],
  ['top', '--once', '--interval', '1'],
  ['logs', '-n', '20'],
  ['config'],
  ['verify'],
  ['replay', 'plan', 'catalogue'],
  ['events', 'tail', '-n', '40'],
  ['events', 'stats'],
  ['trace', '<order>'],
  ['trace', 'nope'],
  ['trace', 'Adunni Textiles'],
  ['backup', '<new>'],
  ['backup', 'list', '<folder>'],
  ['payouts', 'list'],
  ['move', 'out', '<new>'],
];

describe.skipIf(!hasTerminal)('On a terminal', () => {
  let order = '';
  beforeAll(async () => {
    const { lines } = await oja(dataDir, ['events', 'tail', '-n', '1000', '--json']);
    const placed = lines.find((line) => line.includes('"OrderPlaced"'));
    order = JSON.parse(placed ?? '{}').data.transactionId;
  });
  let count = 0;
  const shownBy = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
    count += 1;
    const own = args.map((arg) =>
      arg
        .replace('<order>', order)
        .replace('<folder>', folder.path)
        .replace('<new>', join(folder.path, `new-${count}`)),
    );
    const screen = onTerminal(dataDir, own, { columns: 40, env });
    await screen.ended;
    return screen.shown();
  };

  it.each(looks.map((args) => [args.join(' '), args] as const))(
    'of 40 columns oja %s breaks no word, and one that obeys nothing is told nothing',
    async (_, args) => {
      const shown = await shownBy(args, {});
      expect(shown).toMatch(/\w/);
      expect(tooLong(shown, 40)).toEqual([]);
      expect(await shownBy(args, { TERM: 'dumb' })).not.toContain(ESCAPE);
    },
    120_000,
  );

  it('of 80 columns a read model and a setting have a line each', async () => {
    const shownAt80 = async (command: string) => {
      const screen = onTerminal(dataDir, [command], { columns: 80 });
      await screen.ended;
      return linesIn(screen.shown());
    };
    const status = await shownAt80('status');
    for (const { name, version } of projections)
      expect(
        status.filter((line) => line.startsWith(`${name} `) && line.includes(' live ')),
      ).toEqual([
        expect.stringMatching(
          new RegExp(`^${name} +v${version} g1 +live +\\d+ +\\d+ events \\d+ s +0$`),
        ),
      ]);
    const settings = await shownAt80('config');
    expect(settings).toContainEqual(expect.stringMatching(/^PORT +\d+$/));
    expect(settings).toContainEqual(expect.stringMatching(/^TOKEN_SECRET +\(set, hidden\)$/));
  }, 60_000);

  it('colours are shown, unless NO_COLOR says otherwise', async () => {
    expect(await shownBy(['status'], {})).toMatch(COLOURS);
    expect(await shownBy(['status'], { NO_COLOR: '1' })).not.toMatch(COLOURS);
  }, 60_000);

  it('of 40 columns every help fits', async () => {
    const places = await ojaJson<readonly { readonly path: string }[]>(dataDir, [
      'completion',
      'bash',
    ]);
    expect(places.length).toBeGreaterThan(30);
    for (const { path } of places) {
      const words = path.split(' ').filter((word) => word !== '' && word !== 'oja');
      expect(tooLong(await shownBy([...words, '--help'], {}), 40), path).toEqual([]);
    }
  }, 120_000);

  it.each(['', 'events', 'payouts', 'dispute', 'quarantine', 'keys', 'move'])(
    'of 40 columns the help fits that oja %s without more is answered with',
    async (command) => {
      const shown = await shownBy(command === '' ? [] : [command], {});
      expect(shown).toContain('Usage: oja');
      expect(tooLong(shown, 40)).toEqual([]);
    },
    60_000,
  );

  it('of 40 columns a question fits, and waits for its answer at its end', async () => {
    const screen = onTerminal(dataDir, ['erase', '--transaction', order], { columns: 40 });
    const shown = () => screen.shown().replace(CONTROLS, '');
    await expect.poll(shown, { timeout: 60_000 }).toMatch(/Type yes\s+to\s+continue: $/);
    screen.type('no\r');
    expect(await screen.ended).toBe(2);
    expect(shown()).toContain('Nothing was changed.');
    expect(tooLong(shown(), 40)).toEqual([]);
  }, 90_000);

  it('status --watch draws in place, what needs somebody first, until Ctrl-C', async () => {
    const screen = onTerminal(dataDir, ['status', '--watch', '--interval', '1'], { columns: 40 });
    const frames = () => screen.shown().split(`${ESCAPE}[HThe market is`).slice(1);
    await expect.poll(() => frames().length, { timeout: 60_000 }).toBeGreaterThan(1);
    screen.type('\u0003');
    expect(await screen.ended).toBe(0);
    expect(screen.shown().endsWith(`${ESCAPE}[?25h${ESCAPE}[?1049l`)).toBe(true);
    const [frame = ''] = frames();
    const lines = linesIn(frame.split(`${ESCAPE}[J`)[0]?.replaceAll(`${ESCAPE}[K`, '') ?? '');
    expect(lines).toHaveLength(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
    expect(lines.slice(0, 8).join(' ')).toMatch(/needs you|overdue|to pay by hand/);
    expect(lines.at(-1)).toMatch(/^and \d+ more lines: oja status$/);
  }, 90_000);
});

it('trace prints commands to copy on one line each, at a narrow terminal and in a pipe', async () => {
  const [share] = await ojaJson<readonly { transactionId: string }[]>(dataDir, ['payouts', 'list']);
  const asked = ['trace', share?.transactionId ?? ''];
  const { waits } = await ojaJson<{ waits: readonly { command: string | null }[] }>(dataDir, asked);
  const commands = waits.flatMap(({ command }) => command ?? []);
  expect(Math.max(...commands.map(({ length }) => length))).toBeGreaterThan(80);
  const piped = (await oja(dataDir, asked)).lines;
  for (const command of commands) expect(piped).toContain(`      ${command}`);
  if (!hasTerminal) return;
  const screen = onTerminal(dataDir, asked, { columns: 40 });
  await screen.ended;
  for (const command of commands) expect(linesIn(screen.shown())).toContain(`      ${command}`);
}, 60_000);

it('status --watch tells a program one object a line, and a pipe one look below the other', async () => {
  const asked = ['status', '--watch', '--interval', '1'];
  const json = runOja([...asked, '--json'], { DATA_DIR: dataDir });
  await expect.poll(() => json.lines.length, { timeout: 60_000 }).toBeGreaterThan(1);
  expect(await json.stop()).toBe(0);
  for (const line of json.lines) expect(JSON.parse(line)).toMatchObject({ running: true });
  const text = runOja(asked, { DATA_DIR: dataDir });
  const heads = () => text.lines.filter((line) => line.startsWith('The market is running'));
  await expect.poll(() => heads().length, { timeout: 60_000 }).toBeGreaterThan(1);
  expect(await text.stop()).toBe(0);
  expect(await oja(dataDir, [...asked, '--check'])).toMatchObject({
    code: 2,
    lines: [expect.stringContaining('use either --watch or --check')],
  });
}, 150_000);
