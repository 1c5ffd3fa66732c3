import { type CallName, type Calls, calls, routeTable } from '@oja/contracts';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { type Answer, answers, type ReceivedCall } from './answers.js';

type Endpoints = { [N in CallName]: `${Calls[N]['method']} ${Calls[N]['path']}` };
/** A call by its method and path, such as 'POST /v1/login'. */
export type Endpoint = Endpoints[CallName];
type CallAt<D extends Endpoint> = { [N in CallName]: Endpoints[N] extends D ? N : never }[CallName];
type Success<D extends Endpoint> = keyof Calls[CallAt<D>]['answers'];

/** For a 2xx status the call's own answer, else any failure body. */
export type BodyAt<D extends Endpoint, Status> =
  Status extends Success<D> ? Answer<CallAt<D>> : Readonly<Record<string, unknown>>;

type Override = (call: ReceivedCall) => Promise<Response> | Response;

const IMAGE_HOST = 'https://images.oja.test/upload';
const table = routeTable(Object.values(calls));

/** A market whose answers can be replaced, and which records the calls. */
export interface Market {
  readonly listen: () => void;
  readonly close: () => void;
  /** Restores the successful answers, forgets all calls and releases all that is held. */
  readonly reset: () => void;
  readonly answers: <D extends Endpoint, S extends number>(
    endpoint: D,
    status: S,
    body: BodyAt<D, S>,
  ) => void;
  /** Answers once, then as before. */
  readonly answersOnce: Market['answers'];
  /** Holds the answers back until the returned function is called. */
  readonly holds: (endpoint: Endpoint | 'image host') => () => void;
  readonly callsTo: (endpoint: Endpoint) => readonly ReceivedCall[];
  /** Whether a call is being answered now. */
  readonly isBusy: () => boolean;
  /** Whether any call asked for a change. */
  readonly wasActedOn: () => boolean;
  /** The forms that reached the image host. */
  readonly pictures: readonly FormData[];
}

export function openMarket(): Market {
  const overrides = new Map<string, Override>();
  const received = new Map<string, ReceivedCall[]>();
  const held = new Map<string, { readonly until: Promise<void>; readonly now: () => void }>();
  const pictures: FormData[] = [];

  let answering = 0;

  const respond = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    const found = table.find(request.method, pathname);
    if (found.kind !== 'found') throw new Error(`No call ${request.method} ${pathname}`);
    const { call, params } = found;
    const endpoint = `${call.method} ${call.path}`;
    const text = await request.text();
    const asked: ReceivedCall = {
      params,
      query: Object.fromEntries(searchParams),
      body: text === '' ? undefined : JSON.parse(text),
      headers: request.headers,
    };
    received.set(endpoint, [...(received.get(endpoint) ?? []), asked]);
    await held.get(endpoint)?.until;
    const [status = '200'] = Object.keys(call.answers);
    return (
      overrides.get(endpoint)?.(asked) ??
      HttpResponse.json(answers[call.name](asked), { status: Number(status) })
    );
  };

  const server = setupServer(
    http.post(IMAGE_HOST, async ({ request }) => {
      pictures.push(await request.formData());
      await held.get('image host')?.until;
      return HttpResponse.json({ secure_url: `https://images.oja.test/${pictures.length}.jpg` });
    }),
    http.all('*', async ({ request }) => {
      answering += 1;
      try {
        return await respond(request);
      } finally {
        answering -= 1;
      }
    }),
  );

  return {
    listen: () => server.listen({ onUnhandledRequest: 'error' }),
    close: () => server.close(),
    reset: () => {
      for (const release of held.values()) release.now();
      for (const known of [overrides, received, held]) known.clear();
      pictures.length = 0;
    },
    answers: (endpoint, status, body) =>
      void overrides.set(endpoint, () => Response.json(body, { status })),
    answersOnce: (endpoint, status, body) =>
      void overrides.set(endpoint, () => {
        overrides.delete(endpoint);
        return Response.json(body, { status });
      }),
    holds: (endpoint) => {
      let release = () => {};
      const until = new Promise<void>((resolve) => {
        release = resolve;
      });
      held.set(endpoint, { until, now: release });
      return release;
    },
    callsTo: (endpoint) => received.get(endpoint) ?? [],
    isBusy: () => answering > 0,
    wasActedOn: () => [...received.keys()].some((endpoint) => !endpoint.startsWith('GET ')),
    pictures,
  };
}
