import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isOrderOpen, mayBeRestored, transaction } from '@oja/domain';
import type { Plan } from '@oja/platform';
import { projections } from '@oja/projector';
import type { Answer } from '../answers/index.js';
import { type AppContext, withContext, withOpened } from '../runtime/context.js';
import { planOrExit, refuseForbidden } from '../runtime/open-data.js';
import { exitCodes, usageExit } from '../terminal/exit.js';
import { Interrupted, interruptSignal } from '../terminal/interrupt.js';
import { toOutcome } from '../terminal/outcome.js';
import {
  finishUnread,
  formatMegabytes,
  type Output,
  paint,
  plural,
  printJson,
  printLine,
  wrapLines,
} from '../terminal/output.js';
import { withByteProgress } from '../terminal/progress.js';
import { backUp } from './backup/backup.js';
import { withFetched } from './backup/fetching.js';
import { bytesOfMarket } from './backup/manifest.js';
import { refuseServers } from './backup/refuse-servers.js';
import { restore } from './backup/restore.js';
import { type Parts, partAddresses, refuseNoFolder } from './backup/storage.js';
import { eraseSubject, isProven, type Subject, subjectOf } from './erase/erase.js';
import { replayWhole } from './replay/whole.js';
import { freeBytesIn, requireDiskSpace } from './shared/disk-space.js';
import { DRILL_PREFIX, withTemporaryFolder } from './shared/temporary-folder.js';
import { isSound, verifyLedger } from './verify/ledger.js';
import { isRight, verifyModel } from './verify/model.js';

type Step = Answer<'drill'>['steps'][number];

const stepNames = [
  'backup',
  'restore',
  'replay',
  'verify',
  'erase',
] as const satisfies readonly Step['step'][];

/** A local port where nothing listens, so that calls to the payment provider fail. */
const UNREACHABLE_URL = 'http://127.0.0.1:9';

/** The market's settings, changed for a copy in another folder: no queue, mail server or payment provider. */
function planOfCopy(plan: Plan, dataDir: string): Plan {
  const { SMTP_URL: _mail, REDIS_URL: _queues, ...variables } = plan.variables;
  return {
    ...plan,
    dataDir,
    variables: { ...variables, DATA_DIR: dataDir, PAYSTACK_URL: UNREACHABLE_URL },
  };
}

/** Copies on disk at the same time: the backup, the restored market, its next generation, and a clean copy of that. */
const COPIES = 4;

async function requireRoom({ dataDir }: Plan, folder: string): Promise<void> {
  const room = { folder, needed: COPIES * bytesOfMarket(dataDir), free: await freeBytesIn(folder) };
  requireDiskSpace(room, 'The drill', ', or name another folder with --in');
}

/** A person who may be erased and whose key still exists: a writer to the support, or the buyer of a closed order. */
async function samplePerson({ engines, commands }: AppContext): Promise<Subject | null> {
  const { eventStore, keys } = engines;
  let found: Subject | null = null;
  const isThere = async ({ key }: Subject) => (await keys.find(key)) !== null;
  for await (const { type, data } of eventStore.readAll({ after: null })) {
    if (type === 'ContactMessageReceived') {
      const writer = subjectOf('contact', String(data.contactId));
      if (await isThere(writer)) return writer;
    }
    if (type !== 'OrderPlaced' || found !== null) continue;
    const id = String(data.transactionId);
    const buyer = subjectOf('transaction', id);
    const { state } = await commands.load(transaction, id);
    if (!isOrderOpen(state) && !mayBeRestored(state) && (await isThere(buyer))) found = buyer;
  }
  return found;
}

type StepResult = Pick<Step, 'ok' | 'told'>;
type Work = (signal: AbortSignal) => Promise<StepResult>;

async function replayStep(copy: AppContext, signal: AbortSignal): Promise<StepResult> {
  let documents = 0;
  for (const projection of projections)
    documents += (await replayWhole(copy, projection, { signal }, () => {})).documents ?? 0;
  const told = `${plural(projections.length, 'read model')} rebuilt, ${plural(documents, 'document')} as before`;
  return { ok: true, told };
}

async function verifyStep(copy: AppContext, signal: AbortSignal): Promise<StepResult> {
  const wrong: string[] = [];
  for (const projection of projections)
    if (!isRight(await verifyModel(copy, projection, signal))) wrong.push(projection.name);
  const sound = isSound(await verifyLedger(copy));
  const models =
    wrong.length === 0
      ? `${plural(projections.length, 'read model')} equal to a clean rebuild`
      : `${wrong.join(', ')} differ from a clean rebuild (oja verify)`;
  const told = `${models}, the ledger ${sound ? 'balanced' : 'not balanced'}`;
  return { ok: wrong.length === 0 && sound, told };
}

async function eraseStep(copy: AppContext): Promise<StepResult> {
  const person = await samplePerson(copy);
  if (person === null) return { ok: true, told: 'there is nobody who can be erased' };
  const proof = await eraseSubject(copy, person);
  const { filesSearched, bytesSearched, found } = proof;
  const searched = `${plural(filesSearched, 'file')}, ${formatMegabytes(bytesSearched)} searched`;
  const told =
    found.length === 0
      ? `${person.key}: key destroyed, ${searched}, nothing found`
      : `${person.key} is still in ${found.map(({ file }) => file).join(', ')}`;
  return { ok: isProven(proof), told };
}

/** The work of each step; each needs what the steps before it left in the folder. */
function stepsOfDrill(
  plan: Plan,
  folder: string,
  from: Parts | null,
): Readonly<Record<Step['step'], Work>> {
  const backup = join(folder, 'backup');
  const keys = join(folder, 'keys');
  const dataDir = join(folder, 'data');
  const copyPlan = planOfCopy(plan, dataDir);
  return {
    backup: async (signal) => {
      const done = await withContext(
        (context) => withByteProgress('Copying', (at) => backUp(context, backup, keys, signal, at)),
        { mayBeMoved: true },
      );
      return { ok: true, told: `${plural(done.files, 'file')}, ${formatMegabytes(done.bytes)}` };
    },
    restore: async (signal) => {
      const put = (market: string, marketKeys: string) =>
        restore(copyPlan, market, marketKeys, { yes: true }, signal);
      const { at, damaged } =
        from === null
          ? await put(backup, keys)
          : await withFetched(copyPlan, from, { yes: true }, signal, put);
      const but = damaged.length === 0 ? '' : `, whose ${damaged.join(' and ')} is damaged`;
      return { ok: damaged.length === 0, told: `the market of ${at}${but}` };
    },
    replay: (signal) => withOpened(copyPlan, {}, (copy) => replayStep(copy, signal)),
    verify: (signal) => withOpened(copyPlan, {}, (copy) => verifyStep(copy, signal)),
    erase: () => withOpened(copyPlan, {}, eraseStep),
  };
}

/**
 * Makes a backup, or takes the one in `from`, restores it, rebuilds and verifies its read models, and erases a person.
 * All of it happens on copies in a new folder below `parent`, which holds keys and is always removed. Stops after the
 * first step that fails. @throws Exit when `parent` is no folder or has no room; Interrupted.
 */
async function drill(
  plan: Plan,
  parent: string,
  from: Parts | null,
  signal: AbortSignal,
  onStep: (step: Step) => void,
): Promise<readonly Step[]> {
  if (!existsSync(parent)) throw usageExit(`There is no folder ${parent}.`);
  refuseNoFolder(parent);
  const wanted = {
    parent,
    prefix: DRILL_PREFIX,
    requireRoom: async () => {
      if (from === null) await requireRoom(plan, parent);
    },
  };
  return withTemporaryFolder(wanted, async (folder) => {
    const works = stepsOfDrill(plan, folder, from);
    const steps: Step[] = [];
    for (const step of stepNames.slice(from === null ? 0 : 1)) {
      signal.throwIfAborted();
      const began = performance.now();
      const done = await works[step](signal).catch((error: unknown): StepResult => {
        if (error instanceof Interrupted) throw error;
        return { ok: false, told: toOutcome(error).sentence };
      });
      const seconds = Math.round(performance.now() - began) / 1_000;
      const result: Step = { step, seconds, ...done };
      steps.push(result);
      onStep(result);
      if (!result.ok) break;
    }
    return steps;
  });
}

interface Options extends Output {
  readonly in: string;
  readonly from?: string;
  readonly keys?: string;
}

function sayStep({ step, ok, seconds, told }: Step): void {
  const head = `${step.padEnd(8)}${`${seconds.toFixed(1)} s`.padStart(8)}  `;
  const [first = '', ...more] = wrapLines(told, ' '.repeat(head.length));
  const lines = [`${head}${first.trimStart()}`, ...more];
  for (const line of lines) printLine(ok ? line : paint.bad(line));
}

export async function runDrill(options: Options): Promise<void> {
  const plan = planOrExit(process.env, true);
  refuseServers(plan, 'backup');
  if (options.keys !== undefined && options.from === undefined)
    throw usageExit('--keys belongs to an existing backup: name that backup with --from.');
  const signal = interruptSignal();
  const onStep = options.json ? () => {} : sayStep;
  const from = options.from === undefined ? null : partAddresses(options.from, options);
  if (from === null) refuseForbidden(plan.dataDir);
  const steps = await finishUnread(() => drill(plan, options.in, from, signal, onStep)).catch(
    (error: unknown) => {
      // The usual message promises to go on, but a drill always begins anew.
      if (error instanceof Interrupted) throw new Interrupted('Stopped; the copies are deleted.');
      throw error;
    },
  );
  const ok = steps.every((step) => step.ok);
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
  if (options.json) printJson<'drill'>({ ok, seconds, steps });
  else if (ok) printLine(`${paint.good('The market can be restored')}; the copies are deleted.`);
  else printLine(`${paint.bad('Not everything succeeded')}; the copies are deleted.`);
  if (!ok) process.exitCode = exitCodes.failed;
}
