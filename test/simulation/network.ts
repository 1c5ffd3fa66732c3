import { PROVIDER_URL } from './market.js';
import type { Provider, Reply } from './provider.js';
import type { Scheduler } from './scheduler.js';

/** What happens to a call to the provider, in percent. */
const FATES = {
  answered: 82,
  /** It never arrives. */
  lost: 4,
  /** It arrives; the answer does not. */
  unanswered: 5,
  /** It arrives minutes after the caller has given up. */
  late: 3,
  /** An error page, before or after the call was carried out. */
  broken: 3,
  busy: 2,
  garbled: 1,
} as const;

const DAY = 86_400_000;

/** A response whose text is available at once. */
class Answered extends Response {
  override readonly text: () => Promise<string>;

  constructor(text: string, init: ResponseInit) {
    super(null, init);
    this.text = () => Promise.resolve(text);
  }
}

const answerOf = ({ status, json }: Reply): Response =>
  new Answered(JSON.stringify(json), { status });

/** The network between the market and the provider, with every fault it can have. */
export function createNetwork({
  scheduler,
  provider,
  isStormy,
}: {
  readonly scheduler: Scheduler;
  readonly provider: () => Provider;
  isStormy(): boolean;
}) {
  const { random } = scheduler;
  let inFlight = 0;

  function call(url: string, init: RequestInit | undefined): Promise<Response> {
    const program = scheduler.current();
    const { method = 'GET', body, signal } = init ?? {};
    const path = url.slice(PROVIDER_URL.length);
    const sent: Record<string, unknown> = typeof body === 'string' ? JSON.parse(body) : {};
    const fate = isStormy() ? random.weighted(FATES) : 'answered';
    inFlight += 1;
    let isOver = false;
    const over = () => {
      if (!isOver) inFlight -= 1;
      isOver = true;
    };
    program?.ending.push(over);
    return new Promise<Response>((resolve, reject) => {
      signal?.addEventListener('abort', () => {
        over();
        reject(signal.reason);
      });
      const arrive = (work: (reply: Reply) => void) =>
        scheduler.at(scheduler.now() + random.between(20, 900), `${method} ${path}`, () =>
          work(provider().handle(method, path, sent)),
        );
      const answer = (response: Response) => {
        // Nearly all answers come at once; some only just before or after the caller gives up.
        const ms =
          isStormy() && random.chance(0.05)
            ? random.between(8_000, 16_000)
            : random.between(20, 900);
        scheduler.at(scheduler.now() + ms, 'answer', () => {
          over();
          if (program !== null) scheduler.enter(program, 'answer', () => resolve(response));
        });
      };
      switch (fate) {
        case 'answered':
          return arrive((reply) => answer(answerOf(reply)));
        case 'lost':
          return;
        case 'unanswered':
          return arrive(() => {});
        case 'late':
          return scheduler.at(
            scheduler.now() + random.between(16_000, 11 * 60_000),
            'late call',
            () => void provider().handle(method, path, sent),
          );
        case 'broken':
          if (random.chance(0.5))
            return arrive(() => answer(new Answered('<h1>502</h1>', { status: 502 })));
          return answer(new Answered('<h1>502</h1>', { status: 502 }));
        case 'busy':
          return answer(
            new Answered('{"status":false,"message":"slow down"}', {
              status: 429,
              headers: { 'retry-after': '7' },
            }),
          );
        case 'garbled':
          return arrive(() => answer(new Answered('{"status":tr', { status: 200 })));
      }
    });
  }

  return { call, isInUse: () => inFlight > 0 };
}

/**
 * Milliseconds until a notice that was not accepted is sent again, by the provider's schedule;
 * null: never again.
 */
export function retriesAfter(attempt: number): number | null {
  if (attempt < 4) return 3 * 60_000;
  return attempt < 4 + 72 ? 3_600_000 : null;
}

/** The delays after which a notice is sent, in milliseconds; empty: never. */
export function noticeFate(chance: {
  weighted(
    of: Record<'prompt' | 'late' | 'twice' | 'lost', number>,
  ): 'prompt' | 'late' | 'twice' | 'lost';
  between(from: number, to: number): number;
}): readonly number[] {
  switch (chance.weighted({ prompt: 60, late: 15, twice: 15, lost: 10 })) {
    case 'prompt':
      return [chance.between(0, 3_000)];
    case 'late':
      return [chance.between(60_000, 3 * DAY)];
    case 'twice':
      return [chance.between(0, 3_000), chance.between(0, DAY), chance.between(0, 10_000)];
    case 'lost':
      return [];
  }
}
