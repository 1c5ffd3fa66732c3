import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  alreadyRunning,
  copyDatabase,
  DATA_FORMAT,
  databases,
  files,
  isLocked,
  objectionTo,
  openSql,
  type Plan,
  POINTERS,
  PROJECTION_STATE_COLLECTIONS,
  runningServices,
} from '@oja/platform';
import { otherVersions, type Projection, projections, storedStatus } from '@oja/projector';
import type { Answer } from '../answers/index.js';
import { type AppContext, withOpened } from '../runtime/context.js';
import { refuseForeignLog } from '../runtime/log-identity.js';
import { refuseMoved } from '../runtime/move-mark.js';
import { planOrExit, refuseDamaged, withPort } from '../runtime/open-data.js';
import { type ServiceName, VERSION } from '../runtime/program.js';
import { isServedHere } from '../runtime/running-processes.js';
import { configExit, Exit, failedExit } from '../terminal/exit.js';
import { interruptSignal } from '../terminal/interrupt.js';
import { toOutcome } from '../terminal/outcome.js';
import {
  formatMegabytes,
  type Output,
  paint,
  plural,
  printAnswer,
  wrapLines,
} from '../terminal/output.js';
import {
  bytesNeeded,
  fileBytes,
  freeBytesIn,
  freePageBytesIn,
  sizeOf,
} from './shared/disk-space.js';
import { PLAN_PREFIX, withTemporaryFolder } from './shared/temporary-folder.js';

type StartPlan = Answer<'start'>;
type PlannedModel = StartPlan['readModels'][number];

/** Copies the databases and JSON files: of a running market as consistent snapshots, otherwise as plain files. */
function copyInto(copy: string, dataDir: string, runs: boolean): void {
  const names = existsSync(dataDir) ? readdirSync(dataDir) : [];
  for (const name of names) {
    const [from, to] = [join(dataDir, name), join(copy, name)];
    if (runs && databases.includes(name)) copyDatabase(from, to);
    else if (name.endsWith('.json') || (!runs && databases.includes(name.replace(/-wal$/, ''))))
      copyFileSync(from, to);
  }
}

/** The files of a folder by name, each database with its schema as text. */
function tablesIn(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder).filter((name) => /\.(db|json)$/.test(name));
  return new Map(
    names.map((name) => {
      if (!databases.includes(name)) return [name, ''];
      const sql = openSql(join(folder, name), { readonly: true, synchronous: 'NORMAL' });
      const all = sql.all<{ sql: string | null }>('SELECT sql FROM sqlite_schema ORDER BY name');
      sql.close();
      return [name, JSON.stringify(all)];
    }),
  );
}

async function plannedModels(
  context: AppContext,
  signal: AbortSignal,
): Promise<Pick<StartPlan, 'events' | 'readModels'>> {
  const { engines, clock } = context;
  const counts = new Map<string, number>();
  let events = 0;
  for await (const { type } of engines.eventStore.readAll({ after: null })) {
    signal.throwIfAborted();
    events += 1;
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  // A server has no pointers and checkpoints before its first start.
  const { documents } = engines;
  const isBegun = (await documents.collections()).includes(POINTERS);
  const stored = isBegun ? await storedStatus(engines, projections, clock.now()) : [];
  async function planned(projection: Projection): Promise<PlannedModel> {
    const { name, version } = projection;
    const others = isBegun
      ? (await otherVersions(documents, projection)).map((other) => other.version)
      : [];
    const live = stored.find((one) => one.projection === name && one.role === 'live');
    const about = { projection: name, version, others };
    if (live !== undefined && !live.aheadOfLog)
      return { ...about, goes: 'on', events: live.lag.events, bytes: 0 };
    const before = others.at(-1);
    const size =
      before === undefined ? null : await sizeOf(context, { ...projection, version: before });
    const read = projection.events.reduce((sum, type) => sum + (counts.get(type) ?? 0), 0);
    return { ...about, goes: 'anew', events: read, bytes: size?.live ?? null };
  }
  const readModels: PlannedModel[] = [];
  for (const projection of projections) readModels.push(await planned(projection));
  return { events, readModels };
}

/** Performs a start on a copy and reports what it finds. @throws what the start itself would throw. */
const tryStart = (copy: string, plan: Plan, signal: AbortSignal) =>
  withOpened({ ...plan, dataDir: copy }, { createsNothing: true }, async (context) => {
    refuseDamaged(context.config);
    await refuseForeignLog(context);
    await refuseMoved(context);
    if (context.config.mongodbUrl === null)
      await context.engines.documents.ensure(PROJECTION_STATE_COLLECTIONS);
    const models = await plannedModels(context, signal);
    return { ...models, logId: context.logId };
  });

/** @throws Exit 1 when the copies would not fit on the disk of the temporary folder. */
async function refuseTightDisk(dataDir: string): Promise<void> {
  const needed = databases.reduce((sum, name) => sum + fileBytes(join(dataDir, name)), 0);
  const free = await freeBytesIn(tmpdir());
  if (free < needed)
    throw failedExit(
      `The plan is made on a copy of ${formatMegabytes(needed)}, and ${formatMegabytes(free)} are free in ${tmpdir()}: set TMPDIR to a folder with more room.`,
    );
}

/** @param copy a folder of its own for the copy, which does not exist yet */
async function planWithCopy(copy: string, plan: Plan, refusal: string | null): Promise<StartPlan> {
  const signal = interruptSignal();
  const dataDir = resolve(plan.dataDir);
  mkdirSync(copy, { mode: 0o700 });
  try {
    const runs = isServedHere(dataDir);
    copyInto(copy, dataDir, runs);
    const before = tablesIn(copy);
    // A snapshot of a running market has no free pages; opening the file of a stopped one would leave files beside it.
    const spare = freePageBytesIn(runs ? dataDir : copy);
    const tried = await tryStart(copy, plan, signal);
    const after = [...tablesIn(copy)];
    const filesMade = after.flatMap(([name]) => (before.has(name) ? [] : [name]));
    return {
      refusal,
      release: VERSION,
      dataDir,
      format: DATA_FORMAT,
      ...tried,
      logId: filesMade.includes(files.log) || tried.logId === '' ? null : tried.logId,
      filesMade,
      filesMigrated: after.flatMap(([name, tables]) =>
        before.has(name) && before.get(name) !== tables ? [name] : [],
      ),
      spare,
      free: await freeBytesIn(existsSync(dataDir) ? dataDir : tmpdir()),
    };
  } catch (error) {
    const { sentence, code } = toOutcome(error);
    throw new Exit(code, sentence.replaceAll(copy, dataDir));
  }
}

const listed = (what: string, names: readonly string[]) =>
  names.length === 0 ? [] : wrapLines(`${what}: ${names.join(', ')}.`);

function linesOf(plan: StartPlan): readonly string[] {
  const { release, dataDir, format, events, logId, readModels, spare, free } = plan;
  const anew = readModels.filter(({ goes }) => goes === 'anew');
  const known = anew.flatMap((model) => model.bytes ?? []);
  const needed =
    known.length === 0
      ? 0
      : bytesNeeded(
          known.reduce((sum, bytes) => sum + bytes, 0),
          spare,
        );
  const v = (versions: readonly number[]) => versions.map((each) => `v${each}`).join(', ');
  return [
    ...wrapLines(
      `Release ${release} on ${dataDir} (format ${format}): ${logId === null ? 'a new market' : `${plural(events, 'event')} of log ${logId}`}.`,
    ),
    ...readModels.flatMap(({ projection, version, others, goes, events: read }) =>
      wrapLines(
        `${projection} v${version}: ${goes === 'on' ? `goes on, ${plural(read, 'event')} behind` : `made anew from ${plural(read, 'event')}`}${others.length === 0 ? '' : `; ${v(others)} of another release stays until oja replay clean ${projection}`}`,
        '  ',
      ),
    ),
    ...listed('Made', plan.filesMade),
    ...listed('Tables changed in', plan.filesMigrated),
    ...(needed > free
      ? wrapLines(
          paint.warn(
            `The read models take about ${formatMegabytes(needed)}, and ${formatMegabytes(free)} are free: make room first.`,
          ),
        )
      : []),
    ...(plan.refusal === null ? [paint.good('It would open.')] : []),
  ];
}

/** Prints what a start would change, and changes nothing. @throws Exit as the start itself when it would be refused. */
export async function startPlan(services: readonly ServiceName[], options: Output): Promise<void> {
  const everything = services.length === 0;
  const plan = planOrExit(process.env, everything);
  const dataDir = resolve(plan.dataDir);
  const against = objectionTo(dataDir);
  if (against !== null) throw configExit(against);
  const runs = isLocked(dataDir);
  // What is planned may have its port already; one that serves the market as several services has its edge there.
  const isServed = runningServices(dataDir).some(
    ({ service }) => everything || services.some((planned) => planned === service),
  );
  if (!runs && !isServed) await withPort(plan);
  const refusal = everything && runs ? alreadyRunning(dataDir) : null;
  const wanted = {
    parent: tmpdir(),
    prefix: PLAN_PREFIX,
    requireRoom: () => refuseTightDisk(dataDir),
  };
  const planned = await withTemporaryFolder(wanted, (folder) =>
    planWithCopy(join(folder, 'data'), plan, refusal),
  );
  printAnswer<'start'>(options, planned, () => linesOf(planned));
  if (planned.refusal !== null) throw configExit(planned.refusal);
}
