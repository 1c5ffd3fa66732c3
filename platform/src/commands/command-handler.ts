import type { Decider, Refusal } from '@oja/domain';
import type { EventStore, ExpectedRevision, Position, StreamName } from '../eventstore/port.js';
import { inTrace } from '../tracing/trace.js';
import {
  appendWithRetry,
  createStreamReader,
  type DomainEvent,
  eventsOf,
  fold,
  type Loaded,
  streamOf,
  type Written,
} from './stream.js';

/** Who gives the command and what caused it; written into the metadata of each event. */
export interface CommandContext {
  readonly actor: string;
  /** UUID. A command id is the idempotency key: the same id happens once. */
  readonly commandId: string;
  readonly correlationId: string;
  readonly causationId: string;
  /** Whether the events carry the correlation id of the stream's first event instead of `correlationId`. */
  readonly joinsStream?: boolean;
}

/**
 * The result of a command. `repeated`: the command had already happened, and this is its first result. A
 * command with nothing to do has no events; its position and revision are those of the stream.
 */
export type CommandResult<S> =
  | {
      readonly ok: true;
      readonly position: Position | null;
      readonly revision: ExpectedRevision;
      readonly events: readonly Written[];
      readonly state: S;
      readonly repeated: boolean;
      /** The stream after the command. Pass it to the next command to save a read. */
      readonly known: Loaded<S>;
    }
  | { readonly ok: false; readonly conflict: false; readonly refusal: Refusal }
  /** Other writers changed the stream during every try. */
  | { readonly ok: false; readonly conflict: true };

export interface CommandHandlerOptions {
  /** Returns epoch milliseconds. */
  readonly clock: () => number;
  /** Called with the stream for each append that met a revision conflict. */
  readonly onConflict?: (stream: StreamName) => void;
}

export interface CommandHandler {
  /**
   * Reads the stream, decides, and appends at the revision just read. After a conflict it reads and
   * decides again, up to three times.
   *
   * `known`: the stream as the caller has just read it. It saves a read, unless the command has written
   * to the stream before or another writer interferes.
   *
   * @throws StoreUnavailable when the log cannot be read or written (repeat with the same command id);
   * UnreadableEvent.
   */
  handle<S, C, E extends DomainEvent>(
    decider: Decider<S, C, E>,
    id: string,
    command: C,
    context: CommandContext,
    known?: Loaded<S>,
  ): Promise<CommandResult<S>>;
  /** The current instance; the initial state when it has no stream. */
  load<S, C, E>(decider: Decider<S, C, E>, id: string): Promise<Loaded<S>>;
}

const retriesAfterConflict = 3;

/** The command's name in a trace. */
const nameOf = (command: unknown): string =>
  typeof command === 'object' && command !== null && 'type' in command ? `${command.type}` : '';

function resultOf(handled: CommandResult<unknown>): string {
  if (!handled.ok) return handled.conflict ? 'conflict' : handled.refusal.code;
  if (handled.repeated) return 'repeated';
  return handled.events.length === 0 ? 'nothing to do' : 'done';
}

/** Creates the command handler, the only code that turns commands into events. */
export function createCommandHandler(
  eventStore: EventStore,
  options: CommandHandlerOptions,
): CommandHandler {
  const { clock, onConflict } = options;
  const { read, keep, load } = createStreamReader(eventStore);

  /** One try; null when another writer appended between our read and our append. */
  async function attempt<S, C, E extends DomainEvent>(
    decider: Decider<S, C, E>,
    id: string,
    command: C,
    context: CommandContext,
    known: Loaded<S> | undefined,
  ): Promise<CommandResult<S> | null> {
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

    // If the clock was set back, event times must still not decrease within a stream.
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
    const appended = await appendWithRetry(eventStore, stream, history.revision, events);
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
    keep(decider, id, after);
    return { ok: true, repeated: false, events: written, revision, position, state, known: after };
  }

  async function attempts<S, C, E extends DomainEvent>(
    decider: Decider<S, C, E>,
    id: string,
    command: C,
    context: CommandContext,
    known: Loaded<S> | undefined,
  ): Promise<CommandResult<S>> {
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

    load,
  };
}
