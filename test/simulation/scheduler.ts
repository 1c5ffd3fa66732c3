import { StoreUnavailable } from '@oja/platform';
import { createRandom, type Random } from '../chaos/random.js';
import { Heap } from './heap.js';

/** A program on the simulated machines: it can be suspended, or die at any await. */
export interface Program {
  readonly name: string;
  alive: boolean;
  /** Epoch milliseconds; until then the program stands still, though its requests may be carried out. */
  suspendedUntil: number;
  readonly ending: (() => void)[];
}

interface Step {
  /** Null: the outside world, which never dies. */
  readonly program: Program | null;
  readonly what: string;
  run(): void;
}

interface Alarm extends Step {
  readonly at: number;
  readonly number: number;
  cancelled: boolean;
}

/** Probability of each fault per step. */
export interface Weather {
  /** A program is killed while it waits. */
  readonly kill: number;
  /** A program is suspended while it waits, for seconds to minutes. */
  readonly suspend: number;
  /** An engine answers late, by milliseconds to seconds. */
  readonly slow: number;
  /** An engine fails without telling whether it did the work. */
  readonly fail: number;
}

export const CALM: Weather = { kill: 0, suspend: 0, slow: 0, fail: 0 };

export interface SchedulerOptions {
  readonly seed: number;
  /** Epoch milliseconds. */
  readonly start: number;
  /** Called on every step; an error ends the run. */
  onStep(program: Program | null, what: string, now: number): void;
  onSuspend(program: Program, ms: number): void;
  /** Called after a program was killed. */
  onKill(program: Program): void;
  /** Whether some work is in progress that timers must run for. */
  isBusy(): boolean;
}

/** The real setImmediate, before it is replaced. */
const realTurn = globalThis.setImmediate;
const SECOND = 1_000;
/** Timers at least this long are polls: they may ring late, together with others, as on a busy machine. */
const GLANCE = 400;
const LATEST_GLANCE = 60_000;
/** How often such a timer is even later, and by at most how much. */
const OFTEN_LATE = 0.7;
const MOST_LATE = 240_000;
/** Steps in one turn of the real event loop. */
const STEPS_A_TURN = 64;
/** How often an outside event finds the sleeping programs awake. */
const WAKEFUL = 0.2;
/** Work of the program itself, so that no engine can fail to answer it. */
const ownWork: ReadonlySet<string> = new Set(['news', 'hash', 'verify hash']);
/** Suspensions last up to this long (ms): from a long garbage collection to a closed laptop. */
const LONGEST_SUSPENSION = 20 * 60 * SECOND;
/** The writes that announce a money operation: a program suspended right there may carry it out late. */
const claims: ReadonlySet<string> = new Set(['put state in refunds', 'put state in payouts']);
/** How often a program is suspended there; half of these last a night to a weekend. */
const STANDS_STILL_AT_CLAIM = 0.25;
const A_NIGHT = 12 * 3_600 * SECOND;
const A_WEEKEND = 3 * 86_400 * SECOND;

export type Scheduler = ReturnType<typeof createScheduler>;

/**
 * Runs everything that waits on one thread. Each access of an engine, each timer and each outside
 * event is a step; one of the possible next steps is chosen at random, and time moves on meanwhile.
 * The same seed takes the same steps.
 */
export function createScheduler(options: SchedulerOptions) {
  const random: Random = createRandom(options.seed);
  const ready: Step[] = [];
  const timers = new Heap<Alarm>(before);
  /** Timers of programs that poll for work. */
  const glances = new Heap<Alarm>(before);
  let glanceAt = 0;
  /** No work is in progress, so the programs sleep through most outside events. */
  let isAsleep = false;
  const agenda = new Heap<Alarm>(before);
  const held = new Map<Program, Step[]>();
  let now = options.start;
  let numbers = 0;
  let steps = 0;
  let current: Program | null = null;
  let weather: Weather = CALM;
  let failure: { readonly error: unknown } | null = null;

  function alarm(
    heap: Heap<Alarm>,
    at: number,
    program: Program | null,
    what: string,
    run: () => void,
  ): Alarm {
    numbers += 1;
    const set: Alarm = { at, number: numbers, program, what, run, cancelled: false };
    heap.push(set);
    return set;
  }

  const isDead = ({ program }: Step) => program !== null && !program.alive;

  function due(): void {
    const isTime =
      !isAsleep && now >= glanceAt && (glances.top()?.at ?? Number.POSITIVE_INFINITY) <= now;
    if (isTime) glanceAt = now + random.between(0, LATEST_GLANCE);
    for (const heap of isTime ? [agenda, timers, glances] : [agenda, timers])
      for (let top = heap.top(); top !== null && top.at <= now; top = heap.top()) {
        heap.pop();
        if (!top.cancelled && !isDead(top)) ready.push(top);
      }
  }

  /** The time of the next step; null: there will be none. */
  function nextMoment(): number | null {
    const isBusy = options.isBusy();
    for (const heap of [agenda, timers, glances])
      for (let top = heap.top(); top !== null && (top.cancelled || isDead(top)); top = heap.top())
        heap.pop();
    const next = agenda.top()?.at ?? null;
    const glance = glances.top()?.at ?? null;
    const moments = [timers.top()?.at ?? null, glance === null ? null : Math.max(glance, glanceAt)];
    // While nobody waits for anything, timers ring late, as on a sleeping machine.
    isAsleep = !isBusy && next !== null && !random.chance(WAKEFUL);
    if (!isBusy && next !== null) return next;
    const known = [next, ...moments].filter((moment) => moment !== null);
    return known.length === 0 ? null : Math.min(...known);
  }

  function takeOne(): Step | null {
    while (ready.length > 0) {
      const at = random.between(0, ready.length - 1);
      const step = ready[at];
      const last = ready.pop();
      if (step === undefined || last === undefined) return null;
      if (at < ready.length) ready[at] = last;
      if (isDead(step)) continue;
      const { program } = step;
      if (program !== null && program.suspendedUntil > now) {
        const waiting = held.get(program);
        if (waiting) waiting.push(step);
        else {
          held.set(program, [step]);
          alarm(agenda, program.suspendedUntil, null, 'resume', () => resume(program));
        }
        continue;
      }
      return step;
    }
    return null;
  }

  function resume(program: Program): void {
    ready.push(...(held.get(program) ?? []));
    held.delete(program);
  }

  function kill(program: Program): void {
    if (!program.alive) return;
    program.alive = false;
    held.delete(program);
    for (const end of program.ending.splice(0)) end();
    options.onKill(program);
  }

  /** Takes the next step; returns false if there is none. */
  function takeStep(): boolean {
    for (;;) {
      due();
      const step = takeOne();
      if (step !== null) {
        steps += 1;
        options.onStep(step.program, step.what, now);
        current = step.program;
        step.run();
        return true;
      }
      const next = nextMoment();
      if (next === null) return false;
      now = Math.max(now, next);
    }
  }

  function run(isDone: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      let isTaken = false;
      let isOver = false;
      /** Runs after everything that a step causes at once: promises, and Node's next ticks. */
      const turn = () => {
        if (isOver) return;
        current = null;
        if (failure === null && isTaken && random.chance(0.1)) now += random.between(1, 20);
        try {
          isTaken = failure === null && !isDone() && takeStep();
        } catch (error) {
          failure ??= { error };
          isTaken = true;
          return;
        }
        if (isTaken) return;
        isOver = true;
        if (failure === null) resolve();
        else reject(failure.error);
      };
      // Queueing many turns polls real I/O only once; Node still runs promises between them.
      const turns = () => {
        for (let each = 0; each < STEPS_A_TURN; each += 1) realTurn(turn);
        realTurn(() => isOver || turns());
      };
      turns();
    });
  }

  /** How a program accesses an engine. */
  const access =
    (program: Program) =>
    <T>(what: string, work: () => T): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        /** Does the work now; calling the result delivers the answer. */
        const perform = () => {
          try {
            const value = work();
            return () => resolve(value);
          } catch (error) {
            return () => reject(error);
          }
        };
        const step: Step = {
          program,
          what,
          run: () => hardship(program, what, perform, work, reject),
        };
        ready.push(step);
      });

  function hardship(
    program: Program,
    what: string,
    perform: () => () => void,
    work: () => unknown,
    reject: (error: unknown) => void,
  ): void {
    const { kill: killing, slow, fail } = weather;
    const isClaim = claims.has(what) && weather.suspend > 0;
    const suspend = isClaim ? STANDS_STILL_AT_CLAIM : weather.suspend;
    const answer = () => perform()();
    let chance = random.next();
    const is = (part: number) => {
      const hit = chance < part;
      chance -= part;
      return hit && chance < 0;
    };
    const halfTheTime = () => {
      if (random.chance(0.5)) quietly(work);
    };
    if (is(killing)) {
      halfTheTime();
      kill(program);
    } else if (is(suspend)) {
      // The work is done before or after the suspension; its answer arrives afterwards.
      const isLong = isClaim && random.chance(0.5);
      const ms = isLong ? random.between(A_NIGHT, A_WEEKEND) : suspension();
      program.suspendedUntil = now + ms;
      options.onSuspend(program, ms);
      ready.push({ program, what: 'resumed', run: random.chance(0.5) ? perform() : answer });
    } else if (is(slow)) {
      alarm(agenda, now + random.between(1, 3 * SECOND), program, 'slow', answer);
    } else if (is(fail) && !ownWork.has(what)) {
      halfTheTime();
      reject(new StoreUnavailable('SQLite', 'the engine does not say', false));
    } else {
      answer();
    }
  }

  /** Logarithmic: as many short suspensions as long ones. */
  const suspension = () => Math.round(SECOND * (LONGEST_SUSPENSION / SECOND) ** random.next());

  return {
    random,
    now: () => now,
    steps: () => steps,
    current: () => current,
    setWeather(next: Weather): void {
      weather = next;
    },
    program(name: string): Program {
      return { name, alive: true, suspendedUntil: 0, ending: [] };
    },
    kill,
    access,
    run,
    /** Ends the run with an error that must never occur. */
    fail(error: unknown): void {
      failure ??= { error };
    },
    /** Adds a step inside a program. */
    enter(program: Program, what: string, work: () => void): void {
      if (program.alive) ready.push({ program, what, run: work });
    },
    /** Schedules an event of the outside world. */
    at(time: number, what: string, work: () => void): void {
      alarm(agenda, time, null, what, work);
    },
    /** Makes all programs poll for work. */
    rouse(): void {
      isAsleep = false;
    },
    /** Sleeps in the outside world, not in a program. */
    sleep: (ms: number, what = 'goes on'): Promise<void> =>
      new Promise((resolve) => {
        alarm(agenda, now + ms, null, what, resolve);
      }),
    /** Sets a timer of the running program. */
    timer(ms: number, run: () => void, isExact = false): { cancel(): void } {
      const isGlance = !isExact && ms >= GLANCE;
      const late = isGlance && random.chance(OFTEN_LATE) ? random.between(0, MOST_LATE) : 0;
      const heap = isGlance ? glances : timers;
      const set = alarm(heap, now + Math.max(ms, 0) + late, current, 'timer', run);
      return {
        cancel() {
          set.cancelled = true;
        },
      };
    },
    immediate(run: () => void): { cancel(): void } {
      const program = current;
      const step = {
        program,
        what: 'immediate',
        cancelled: false,
        run: () => step.cancelled || run(),
      };
      ready.push(step);
      return {
        cancel() {
          step.cancelled = true;
        },
      };
    },
  };
}

function before(one: Alarm, other: Alarm): boolean {
  return one.at < other.at || (one.at === other.at && one.number < other.number);
}

function quietly(work: () => unknown): void {
  try {
    work();
  } catch {
    // The answer is lost, even an error.
  }
}
