import { join } from 'node:path';
import { type noticesAbout, WEBHOOK_QUEUE } from '@oja/command-service';
import {
  type Config,
  files,
  type KeptJob,
  type RecordedEvent,
  StoreUnavailable,
} from '@oja/platform';
import { jobsAskedFor } from '@oja/projector';
import type { AppContext } from '../../runtime/context.js';
import { sayNote } from '../../terminal/output.js';
import { linesOfAll } from '../shared/log-files.js';
import { logLineIn } from '../shared/log-line.js';
import type { StoryEntry } from './story-entry.js';

/** A job and the event that asked for it; null when the request is not in the log. */
interface RequestedJob {
  readonly job: KeptJob;
  readonly event: RecordedEvent | null;
}

type Notices = Awaited<ReturnType<typeof noticesAbout>>;

/** Leaves out jobs that succeeded at the first try: their results are in the story anyway. */
const isWorthShowing = ({ state, tries }: KeptJob): boolean => state !== 'done' || tries > 1;

/**
 * The last error of each job, by its id. Queues keep no error texts, since they may name people, so the errors come
 * from the logs in this data folder.
 */
function lastErrors({ dataDir }: Config, ids: ReadonlySet<string>): ReadonlyMap<string, string> {
  const errors = new Map<string, { readonly time: string; readonly message: string }>();
  if (ids.size === 0) return new Map();
  for (const text of linesOfAll(join(dataDir, files.logs))) {
    const line = text.includes('"job":') ? logLineIn(text) : null;
    if (line?.job === undefined || line.err === undefined || !ids.has(line.job)) continue;
    const { job, err, time } = line;
    if ((errors.get(job)?.time ?? '') <= time) errors.set(job, { time, message: err.message });
  }
  return new Map([...errors].map(([id, { message }]) => [id, message]));
}

function detailsOf({ state, tries, attempts }: KeptJob, error: string | null): string {
  const at = `try ${tries} of ${attempts}`;
  const why = error === null ? '' : `: ${error}`;
  switch (state) {
    case 'waiting':
      return tries === 0 ? 'not started yet' : `${at} failed, the next one is due then${why}`;
    case 'active':
      return `${at} is under way`;
    case 'done':
      return `done at ${at}${error === null ? '' : `; before${why}`}`;
    case 'failed':
      return `given up after ${at}${why}`;
  }
}

async function jobsOf(
  { engines }: AppContext,
  events: readonly RecordedEvent[],
  notices: Notices,
): Promise<readonly RequestedJob[]> {
  try {
    const found: RequestedJob[] = [...(await jobsAskedFor(engines.jobs, events))];
    for (const { jobId } of notices) {
      const job = await engines.jobs.find(WEBHOOK_QUEUE, jobId);
      if (job !== null) found.push({ job, event: null });
    }
    return found;
  } catch (error) {
    if (!(error instanceof StoreUnavailable) || error.engine !== 'Redis') throw error;
    sayNote(`Jobs are not shown: ${error.message}.`);
    return [];
  }
}

/**
 * The jobs of an order that wait, run, have failed, or needed more than one try. When Redis does not answer, a note
 * says that there are none: the rest of the story is known without it.
 */
export async function entriesOfJobs(
  context: AppContext,
  events: readonly RecordedEvent[],
  notices: Notices,
): Promise<readonly StoryEntry[]> {
  const found = await jobsOf(context, events, notices);
  const shown = found.filter(({ job }) => isWorthShowing(job));
  const tried = shown.filter(({ job: { tries } }) => tries > 0);
  const errors = lastErrors(context.config, new Set(tried.map(({ job: { id } }) => id)));
  return shown.map(({ job, event }): StoryEntry => {
    const { id, queue, state, tries, attempts, at } = job;
    const error = errors.get(id) ?? null;
    return {
      time: new Date(at).toISOString(),
      source: 'job',
      what: queue,
      who: null,
      requestId: event?.metadata.correlationId ?? null,
      traceId: null,
      details: detailsOf(job, error),
      job: { id, state, tries, attempts, error },
    };
  });
}
