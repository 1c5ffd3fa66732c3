import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import {
  LEDGER_ID,
  type LedgerDocument,
  ledger,
  type ObligationKind,
  queues,
  readModels,
  transactions,
} from '@oja/contracts/models';
import { formatNaira } from '@oja/domain';
import {
  type Config,
  type Engines,
  files,
  generationKey,
  keyRefusal,
  type Position,
  type QueueCounts,
  StoreUnavailable,
  spareBytes,
} from '@oja/platform';
import {
  LAG_COUNTED,
  modelErrors,
  reactionCheckpoint,
  readMailOutage,
  storedStatus,
} from '@oja/projector';
import type { Answer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import { refuseForeignLog, type StateAndClock } from '../../runtime/log-identity.js';
import { readClosedReason } from '../../runtime/move-mark.js';
import { serviceNames } from '../../runtime/program.js';
import { isRunning, runningProcesses } from '../../runtime/running-processes.js';
import { systemCodeOf } from '../../terminal/exit.js';
import { formatDuration, formatMegabytes, plural } from '../../terminal/output.js';
import { withoutCredentials } from '../config.js';
import { fileBytes, freeBytesIn } from '../shared/disk-space.js';
import { isAtLeast, logLineIn } from '../shared/log-line.js';
import { obligationStatuses } from './obligations.js';
import { countOwedToErased } from './overdue.js';

export type MarketStatus = Extract<Answer<'status'>, { readonly reactions: unknown }>;
/** The status when the log does not answer; `shown` gives the read models' checkpoints, which are known without it. */
export type StatusWithoutLog = Extract<Answer<'status'>, { readonly shown: unknown }>;
export type FiguresWithoutLog = Omit<StatusWithoutLog, 'problems' | 'shown'>;
type MarketFigures = Omit<MarketStatus, 'problems'>;

const models = Object.values(readModels);
const allQueues = Object.values(queues);

/** Null when Redis does not answer: the queues only make work happen sooner, so the rest is shown without them. */
export async function queueCounts({
  engines,
}: {
  readonly engines: Pick<Engines, 'jobs'>;
}): Promise<Readonly<Record<string, QueueCounts>> | null> {
  const counts: Record<string, QueueCounts> = {};
  try {
    for (const queue of allQueues) counts[queue] = await engines.jobs.counts(queue);
  } catch (error) {
    // A file of queues that cannot be read is damaged, which has a way back of its own.
    if (!(error instanceof StoreUnavailable) || error.engine !== 'Redis') throw error;
    return null;
  }
  return counts;
}

/** The figures that can be read without asking the log. */
async function figuresWithoutLog(context: AppContext): Promise<FiguresWithoutLog> {
  const { engines, clock, config } = context;
  const noted = await modelErrors(engines.state, clock.now());
  const obligations = await obligationStatuses(context);
  const openOf = (sought: ObligationKind) =>
    obligations.find(({ kind }) => kind === sought)?.open ?? 0;
  return {
    running: await isRunning(context),
    closed: await readClosedReason(context),
    processes: (await runningProcesses(context)).map(({ keysProbe: _, ...shown }) => shown),
    demo: config.demo,
    dataDir: config.dataDir,
    free: await freeBytesIn(config.dataDir),
    engines: enginesOf(config),
    queues: await queueCounts(context),
    obligations,
    money: await moneyStatus(context),
    complaints: await complaintsOf(context),
    disputedPayments: openOf('dispute-check'),
    payableShares: config.payouts ? await countOwedToErased(context) : openOf('payout'),
    lastError:
      newestFirst([
        ...loggedErrors(config.dataDir),
        ...[...noted.values()].map((error) => ({ ...error, service: 'projector' })),
      ])[0] ?? null,
  };
}

/** All figures, as this machine's settings and files give them; the problems are derived from them later. */
async function figuresOf(context: AppContext): Promise<MarketFigures> {
  const { engines, clock } = context;
  const logId = await engines.eventStore.logId();
  await refuseForeignLog({ engines, clock, logId });
  const now = clock.now();
  const noted = await modelErrors(engines.state, now);
  const generations = (await storedStatus(engines, models, now)).map((generation) => {
    const { projection: name, version } = generation;
    const key = generationKey({ name, version }, generation.generation);
    return { ...generation, lastError: noted.get(key) ?? null };
  });
  const head: Position | null = await engines.eventStore.head();
  const reactions = await reactionCheckpoint(engines.eventStore, engines.state, now);
  return {
    ...(await figuresWithoutLog(context)),
    logId,
    head,
    projections: generations,
    missing: models
      .filter(({ name }) => !generations.some(({ projection }) => projection === name))
      .map(({ name }) => name),
    reactions: { checkpoint: reactions.value.position },
  };
}

type EngineStatus = MarketStatus['engines'][number];

function embedded(port: string, config: Config, name: string): EngineStatus {
  const path = join(config.dataDir, name);
  return { port, engine: path, bytes: fileBytes(path) + fileBytes(`${path}-wal`) };
}

function remote(port: string, url: string | null): EngineStatus | null {
  return url === null ? null : { port, engine: withoutCredentials(url), bytes: null };
}

/** The engine behind each port. */
export function enginesOf(config: Config): readonly EngineStatus[] {
  const { eventStoreUrl, mongodbUrl, redisUrl, paystack, cloudinary, smtpUrl } = config;
  const at = (port: string, name: string) => embedded(port, config, name);
  return [
    remote('events', eventStoreUrl) ?? at('events', files.log),
    remote('documents', mongodbUrl) ?? at('documents', files.documents),
    remote('state', mongodbUrl) ?? at('state', files.state),
    remote('jobs', redisUrl) ?? at('jobs', files.jobs),
    remote('keys', mongodbUrl) ?? at('keys', files.keys),
    { port: 'payments', engine: paystack.url ?? 'the sandbox that Oja ships', bytes: null },
    { port: 'images', engine: cloudinary?.url ?? 'the image host that Oja ships', bytes: null },
    remote('mail', smtpUrl) ?? {
      port: 'mail',
      engine: join(config.dataDir, files.mail),
      bytes: null,
    },
  ];
}

type MoneyStatus = NonNullable<MarketStatus['money']>;

/** Null before a projector has begun the ledger. */
async function moneyStatus({ engines, readModels }: AppContext): Promise<MoneyStatus | null> {
  if ((await readModels.checkpointOf(ledger)) === null) return null;
  const accounts = await readModels.liveCollection(ledger, 'accounts');
  const all = await engines.documents.get<LedgerDocument>(accounts, LEDGER_ID);
  const unbalanced = await engines.documents.count(accounts, [
    { field: 'balanced', op: 'eq', value: false },
  ]);
  const { heldAside = 0, refundsDue = 0, payable = 0 } = all ?? {};
  return { balanced: unbalanced === 0, unbalanced, heldAside, refundsDue, payable };
}

/** How many orders have an open complaint; 0 before a projector has begun the orders. */
async function complaintsOf({ engines, readModels }: AppContext): Promise<number> {
  if ((await readModels.checkpointOf(transactions)) === null) return 0;
  const collection = await readModels.liveCollection(transactions, 'transactions');
  return engines.documents.count(collection, [{ field: 'received', op: 'eq', value: 'DISPUTED' }]);
}

/** The problem when Redis does not answer. */
export const NO_QUEUES =
  'Redis does not answer, so the queues are unknown, and what jobs would do at once is done later, by the sweeps. See whether it runs and whether REDIS_URL is right (oja config)';

/** A lag of more seconds than this is a problem. */
const LAG_ALARM_S = 30;

/** The services that do not run, in a market whose services are started one by one. */
function missingServices(processes: MarketFigures['processes']): readonly string[] {
  const names = processes.map(({ service }) => service);
  if (names.length === 0 || names.includes('market')) return [];
  return serviceNames.filter((name) => !names.includes(name));
}

/** Where writing has stopped. Processes on a full disk cannot report it, so the free space is checked too. */
export function writesStopped({
  engines,
  dataDir,
  free,
  processes,
}: Pick<FiguresWithoutLog, 'engines' | 'dataDir' | 'free' | 'processes'>): readonly string[] {
  const isEmbedded = engines.some(({ bytes }) => bytes !== null);
  const full =
    isEmbedded && free < spareBytes
      ? [
          `nothing new can be taken: ${formatMegabytes(free)} are free on the disk of ${dataDir}, and ${formatMegabytes(spareBytes)} are needed`,
        ]
      : [];
  const reported = processes.flatMap(({ service, host, takesNoWrites: names = [] }) =>
    names.length === 0 ? [] : [`${service} on ${host} takes no writes to ${names.join(', ')}`],
  );
  return [...full, ...reported];
}

/** The live read models that are behind. Those that are equally so have one cause, and are one problem. */
export function lateModels(generations: MarketFigures['projections']): readonly string[] {
  const late = new Map<string, string[]>();
  for (const { projection, role, lag } of generations) {
    if (role !== 'live' || lag.seconds <= LAG_ALARM_S) continue;
    const many = `${lag.events >= LAG_COUNTED ? 'at least ' : ''}${plural(lag.events, 'event')}`;
    const behind = `${many} and ${formatDuration(lag.seconds)} behind`;
    late.set(behind, [...(late.get(behind) ?? []), projection]);
  }
  return [...late].map(
    ([behind, names]) => `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} ${behind}`,
  );
}

/** What a provider outside the market refuses, whatever it is asked. */
export async function providerRefusals({
  engines,
  clock,
}: StateAndClock): Promise<readonly string[]> {
  const now = clock.now();
  const key = await keyRefusal(engines.state, now);
  const mail = await readMailOutage(engines.state, now);
  return [
    ...(key === null
      ? []
      : [
          `the payment provider refuses the key of this market since ${key.since}, so that nobody can pay (PAYSTACK_SECRET): ${key.message}`,
        ]),
    ...(mail === null
      ? []
      : [
          `the mail server takes no e-mail since ${mail.since}, whoever it is to (SMTP_URL, or ask its operator): ${mail.error}`,
        ]),
  ];
}

/**
 * Everything that needs a person, as sentences. `refusals`: see `providerRefusals`. Failed jobs are not included: a job only does
 * an obligation sooner, and an obligation that is overdue is included.
 */
function problemsOf(
  figures: FiguresWithoutLog & Pick<MarketFigures, 'projections' | 'missing'>,
  refusals: readonly string[],
): readonly string[] {
  const {
    running,
    closed,
    processes,
    projections: generations,
    obligations,
    queues,
    money,
  } = figures;
  const problems = [
    ...(closed === null ? [] : [closed]),
    ...writesStopped(figures),
    ...missingServices(processes).map((name) => `${name} does not run`),
    ...(queues === null ? [NO_QUEUES] : []),
    ...refusals,
    // A market that is closed builds them at its next start. One that runs has lost the database that they were in.
    ...(running && figures.missing.length > 0
      ? [
          `${figures.missing.join(', ')} ${figures.missing.length === 1 ? 'is' : 'are'} missing from the read models: restart the market, which builds from the log what is missing`,
        ]
      : []),
  ];
  if (running) problems.push(...lateModels(generations));
  for (const { projection, aheadOfLog, parked } of generations) {
    if (aheadOfLog) problems.push(`${projection} is ahead of the end of the log`);
    for (const { stream, revision, holdsAll } of parked)
      problems.push(
        holdsAll === true
          ? `${projection} has stopped at revision ${revision} of ${stream} (oja quarantine show ${projection} ${stream})`
          : `${projection} has parked ${stream}`,
      );
  }
  for (const { kind, overdue, oldest } of obligations)
    if (running && overdue > 0)
      problems.push(`${overdue} × ${kind} overdue, the oldest since ${oldest}`);
  if (money !== null && !money.balanced)
    problems.push(`the ledger is not balanced: ${money.unbalanced} accounts`);
  if (money !== null && money.heldAside > 0)
    problems.push(`money that belongs to no order is held aside: ${formatNaira(money.heldAside)}`);
  return problems;
}

/** What `oja status` shows, as this machine sees it. @throws StoreUnavailable; Exit 78 for another market's log. */
export async function marketStatus(context: AppContext): Promise<MarketStatus> {
  const figures = await figuresOf(context);
  return { ...figures, problems: problemsOf(figures, await providerRefusals(context)) };
}

/** The status while the log does not answer. `why`: the reason in words; it becomes the first problem. */
export async function statusWithoutLog(
  context: AppContext,
  why: string,
): Promise<StatusWithoutLog> {
  const figures = await figuresWithoutLog(context);
  const shown = await Promise.all(
    models.map(async (model) => {
      const checkpoint = await context.readModels.checkpointOf(model);
      const [position, time] = [checkpoint?.position ?? null, checkpoint?.time ?? null];
      const { name: projection, version } = model;
      return { projection, version, checkpoint: position, checkpointTime: time };
    }),
  );
  const known = { ...figures, projections: [], missing: [] };
  return {
    ...figures,
    shown,
    problems: [why, ...problemsOf(known, await providerRefusals(context))],
  };
}

/**
 * The status for a monitor, which must report a market that nobody serves. For a person that is no problem: the one
 * who stopped the market knows.
 */
export function toMonitorStatus<T extends MarketStatus | StatusWithoutLog>(status: T): T {
  if (status.running || status.closed !== null) return status;
  const stopped =
    'nothing serves the market: start it (oja start), or see why it has ended (oja logs)';
  return { ...status, problems: [stopped, ...status.problems] };
}

/** All that a person must see to, the most serious first: the problems, then the work that waits for somebody. */
export function openNeeds({
  problems,
  complaints,
  disputedPayments,
  payableShares,
}: Pick<
  MarketStatus,
  'problems' | 'complaints' | 'disputedPayments' | 'payableShares'
>): readonly string[] {
  return [
    ...problems,
    ...(complaints > 0
      ? [`${plural(complaints, 'order')} complained about (oja dispute list)`]
      : []),
    ...(disputedPayments > 0
      ? [
          `${plural(disputedPayments, 'payment')} disputed by a cardholder's bank (hand in evidence at the provider)`,
        ]
      : []),
    ...(payableShares > 0
      ? [`${plural(payableShares, 'share')} to pay by hand (oja payouts list)`]
      : []),
  ];
}

/** How many bytes are read from the end of each log file. */
const TAIL_BYTES = 256 * 1024;

/** Includes the newest rotated file, because a new file has few lines yet. */
const LOGS = /\.log(\.1)?$/;

type LoggedError = NonNullable<Answer<'status'>['lastError']>;

/** The end of a log; '' when it was rotated away just now, or is another user's (which `oja logs` says). */
function tailOf(path: string): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (systemCodeOf(error) === null) throw error;
    return '';
  }
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString();
  } finally {
    closeSync(file);
  }
}

function errorIn(text: string): LoggedError | null {
  if (!text.includes('"level":"error"') && !text.includes('"level":"fatal"')) return null;
  const line = logLineIn(text);
  if (line === null || !isAtLeast(line.level, 'error')) return null;
  const { time, service, msg, model = null, error } = line;
  return { time, service, message: error === undefined ? msg : `${msg}: ${error}`, model };
}

/** The errors at the end of the log files of this data folder. */
export function loggedErrors(dataDir: string): readonly LoggedError[] {
  const folder = join(dataDir, files.logs);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => LOGS.test(name))
    .flatMap((name) => tailOf(join(folder, name)).split('\n'))
    .flatMap((text) => errorIn(text) ?? []);
}

export const newestFirst = (errors: readonly LoggedError[]): readonly LoggedError[] =>
  errors.toSorted((a, b) => (a.time < b.time ? 1 : -1));
