/** What a push message says; one that cannot be read still says that something came. */
export function wordsOf(data: { json(): unknown } | null): string {
  try {
    const said: unknown = data?.json();
    if (
      typeof said === 'object' &&
      said !== null &&
      'message' in said &&
      typeof said.message === 'string'
    )
      return said.message;
  } catch {
    // Not JSON.
  }
  return 'New order';
}

/** The browser's push service has taken one subscription back, and may have given another in its place. */
export interface Change {
  readonly oldSubscription: PushSubscription | null;
  readonly newSubscription: PushSubscription | null;
}

/**
 * The market learns under which address this device is told of orders now, for whoever is signed in. The worker has no
 * token of its own and gets one as a tab does, in turn with the tabs. Where nobody is signed in, nobody is told.
 */
export async function renewPush(
  { pushManager }: ServiceWorkerRegistration,
  { oldSubscription, newSubscription }: Change,
): Promise<void> {
  const token = await navigator.locks.request('oja-refresh', freshToken);
  if (token === undefined) {
    await newSubscription?.unsubscribe();
    return;
  }
  const sellerId = await whoIs(token);
  if (oldSubscription !== null)
    await ask(token, 'DELETE', '/subscription', { endpoint: oldSubscription.endpoint, sellerId });
  const subscription = newSubscription ?? (await subscribed(pushManager));
  const { endpoint, expirationTime = null, keys } = subscription.toJSON();
  await ask(token, 'POST', '/subscription', {
    newSubscription: { endpoint, expirationTime, keys },
    sellerId,
  });
}

async function subscribed(pushManager: PushManager): Promise<PushSubscription> {
  const { pushPublicKey } = await answerOf(await fetch('/v1/settings'));
  if (typeof pushPublicKey !== 'string') throw new Error('the market sends no pushes');
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushPublicKey });
}

/** Undefined when the session is over. */
async function freshToken(): Promise<string | undefined> {
  const answer = await fetch('/v1/refresh-token', { credentials: 'same-origin' });
  if (answer.status === 401) return undefined;
  const { accessToken } = await answerOf(answer);
  return typeof accessToken === 'string' ? accessToken : undefined;
}

async function whoIs(token: string): Promise<unknown> {
  const { result } = await ask(token, 'GET', '/v1/user/single-user');
  const [user]: unknown[] = Array.isArray(result) ? result : [];
  if (typeof user !== 'object' || user === null || !('user_id' in user))
    throw new Error('the market did not say who is signed in');
  return user.user_id;
}

async function ask(token: string, method: string, path: string, body?: unknown) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  return answerOf(
    await fetch(path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
}

async function answerOf(answer: Response): Promise<Readonly<Record<string, unknown>>> {
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}`);
  const body: unknown = await answer.json();
  return typeof body === 'object' && body !== null ? Object.fromEntries(Object.entries(body)) : {};
}
