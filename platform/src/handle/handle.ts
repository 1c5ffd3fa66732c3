import type { Decider, Refusal } from '@oja/domain';
import { LRUCache } from 'lru-cache';
import type { EventStore, ExpectedRevision, Position, StreamName } from '../eventstore/port.js';
import { inTrace } from '../tracing/trace.js';
import {
  appendSurely,
  type DomainEvent,
  eventsOf,
  fold,
  type History,
  type Loaded,
  readHistory,
  streamOf,
  type Written,
} from './stream.js';

/** Who asks, and what the asking belongs to; written into the metadata of each event. */
export interface CommandContext {
  readonly actor: string;
  /** UUID. The same id is the same command: it happens once. */
  readonly commandId: string;
  readonly correlationId: string;
  readonly causationId: string;
  /** Whether it belongs to what began its stream: then its events carry the correlation id of the first one. */
  readonly joinsStream?: boolean;
}

/**
 * `repeated`: the command had happened already; everything is answered as it was then. A command
 * that had nothing to do has no events; its position and revision are where the stream stands.
 */
export type Handled<S> =
  | {
      readonly ok: true;
      readonly position: Position | null;
      readonly revision: ExpectedRevision;
      readonly events: readonly Written[];
      readonly state: S;
      readonly repeated: boolean;
      /** The stream as it stands then: for the next command, which need not read it again. */
      readonly known: Loaded<S>;
    }
  | { readonly ok: false; readonly conflict: false; readonly refusal: Refusal }
  /** Others wrote to the stream in every try. */
  | { readonly ok: false; readonly conflict: true };

export interface HandleOptions {
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Called for each append that came too late, with its stream; counts them. */
  readonly onConflict?: (stream: StreamName) => void;
}

export interface Handle {
  /**
   * Reads the stream, decides, and appends at the revision just read; after a conflict it reads and
   * decides again, three times.
   *
   * `known`: what the caller has just read of the stream. It is not read again, unless the command has
   * written to it before or somebody else writes meanwhile.
   *
   * @throws StoreUnavailable when the log cannot be read or written (repeat with the same command
   *   id); whatever `parse` throws for a malformed event.
   */
  handle<S, C, E extends DomainEvent>(
    decider: Decider<S, C, E>,
    id: string,
    command: C,
    context: CommandContext,
    known?: Loaded<S>,
  ): Promise<Handled<S>>;
  /** The instance as it is now; the initial state when it has no stream. */
  load<S, C, E>(decider: Decider<S, C, E>, id: string): Promise<Loaded<S>>;
}

/** Shorter streams are read whole each time: goods that sell by the thousand have long ones, and each order asks them. */
const LONG_STREAM = 100;
/** Events of all long streams that are remembered; each takes some 0.2 kB. */
const MOST_REMEMBERED = 100_000;

interface Remembered {
  readonly decider: unknown;
  readonly loaded: Loaded<unknown>;
}

/** Long streams as they were last read. It may be old: whoever takes one reads on from there. */
function createMemory() {
  const streams = new LRUCache<StreamName, Remembered>({
    maxSize: MOST_REMEMBERED,
    sizeCalculation: ({ loaded }) => lengthOf(loaded),
  });
  return {
    of<S, C, E>(decider: Decider<S, C, E>, id: string): Loaded<S> | undefined {
      const found = streams.get(streamOf(decider, id));
      // The state is what this decider has made of it.
      return found?.decider === decider ? (found.loaded as Loaded<S>) : undefined;
    },
    keep<S, C, E>(decider: Decider<S, C, E>, id: string, loaded: Loaded<S>): void {
      if (lengthOf(loaded) >= LONG_STREAM) streams.set(streamOf(decider, id), { decider, loaded });
    },
  };
}

const lengthOf = ({ revision }: Loaded<unknown>) => (revision === 'no-stream' ? 0 : revision + 1);

const retriesAfterConflict = 3;

/** What a trace calls it, and what became of it. */
const nameOf = (command: unknown): string =>
  typeof command === 'object' && command !== null && 'type' in command ? `${command.type}` : '';

function resultOf(handled: Handled<unknown>): string {
  if (!handled.ok) return handled.conflict ? 'conflict' : handled.refusal.code;
  if (handled.repeated) return 'repeated';
  return handled.events.length === 0 ? 'nothing to do' : 'done';
}

/** The one way from a command to events. */
export function createHandle(eventStore: EventStore, options: HandleOptions): Handle {
  const { clock, onConflict } = options;
  const memory = createMemory();

  async function read<S, C, E>(
    decider: Decider<S, C, E>,
    id: string,
    commandId: string | null = null,
  ): Promise<History<S>> {
    const history = await readHistory(eventStore, decider, id, commandId, memory.of(decider, id));
    const { earlier: _, ...loaded } = history;
    memory.keep(decider, id, loaded);
    return history;
  }

  /** One try; null: somebody else wrote between reading and appending. */
  async function attempt<S, C, E extends DomainEvent>(
    decider: Decider<S, C, E>,
    id: string,
    command: C,
    context: CommandContext,
    known: Loaded<S> | undefined,
  ): Promise<Handled<S> | null> {
    const isNew = known !== undefined && !known.commands.has(context.commandId);
    const history = isNew
      ? { ...known, earlier: null }
      : await read(decider, id, context.commandId);
    const { earlier, ...now } = history;
    if (earlier) return { ok: true, repeated: true, ...earlier, known: now };

    const decision = decider.decide(command, history.state);
    if (!decision.ok) return { ok: false, conflict: false, refusal: decision.refusal };
    if (decision.events.length === 0) {
      const { position, revision, state } = history;
      return { ok: true, repeated: false, events: [], position, revision, state, known: now };
    }

    // A clock that was set back must not make the stream tell its story backwards.
    const time = Math.max(clock(), history.lastTime ?? 0);
    const begunUnder = history.begunUnder ?? context.correlationId;
    const correlationId = context.joinsStream ? begunUnder : context.correlationId;
    const events = eventsOf(decision.events, {
      actor: context.actor,
      commandId: context.commandId,
      correlationId,
      causationId: context.causationId,
      time: new Date(time).toISOString(),
      schemaVersion: decider.schemaVersion,
    });
    const stream = streamOf(decider, id);
    const appended = await appendSurely(eventStore, stream, history.revision, events);
    if (!appended.ok) {
      onConflict?.(stream);
      return null;
    }

    const { revision, position } = appended;
    const first = revision - events.length + 1;
    const written = events.map((event, i): Written => ({ ...event, stream, revision: first + i }));
    const state = written.reduce((before, e) => fold(decider, before, e), history.state);
    const commands = new Set([...history.commands, context.commandId]);
    const after = { state, revision, position, lastTime: time, begunUnder, commands };
    memory.keep(decider, id, after);
    return { ok: true, repeated: false, events: written, revision, position, state, known: after };
  }

  async function attempts<S, C, E extends DomainEvent>(
    decider: Decider<S, C, E>,
    id: string,
    command: C,
    context: CommandContext,
    known: Loaded<S> | undefined,
  ): Promise<Handled<S>> {
    for (let tries = 0; tries <= retriesAfterConflict; tries += 1) {
      const first = tries === 0 ? known : undefined;
      const handled = await attempt(decider, id, command, context, first);
      if (handled) return handled;
    }
    return { ok: false, conflict: true };
  }

  return {
    handle(decider, id, command, context, known) {
      const attributes = { 'oja.stream': streamOf(decider, id) };
      return inTrace(`command ${nameOf(command)}`, { attributes }, async (span) => {
        const handled = await attempts(decider, id, command, context, known);
        span.set({ 'oja.result': resultOf(handled) });
        return handled;
      });
    },

    async load(decider, id) {
      const { earlier: _, ...loaded } = await read(decider, id);
      return loaded;
    },
  };
}
