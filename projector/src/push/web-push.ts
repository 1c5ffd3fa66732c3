import webPush from 'web-push';

/** A browser's own address at its push service, and the keys that only it can read with. */
export interface PushSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** `gone`: the browser wants nothing any more; `refused`: trying again would not help. */
export type Sent = 'sent' | 'gone' | 'refused';

/** @throws when the push service could not be reached or has no time: try again. */
export type SendPush = (
  subscription: PushSubscription,
  message: string,
  options: { readonly ttlSeconds: number },
) => Promise<Sent>;

interface WebPushOptions {
  /** The market's pair of VAPID keys, base64url. */
  readonly keys: { readonly publicKey: string; readonly privateKey: string };
  /** Where a push service may complain: `mailto:` or `https:`. */
  readonly contact: string;
  /** Asks the push service; redirects are never followed. */
  readonly request?: typeof fetch;
}

/** A push service that has not answered by then is tried again later. In milliseconds. */
const ANSWER_WITHIN_MS = 10_000;
/** A subscription that the push service knows no more, and one that it has given up. */
const GONE: readonly number[] = [404, 410];
const BUSY = 429;

/** Encrypts and signs as the Web Push standards say. @throws for keys that are no pair of keys. */
export function createWebPush(options: WebPushOptions): SendPush {
  const { keys, contact: subject, request = fetch } = options;
  const vapidDetails = { subject, ...keys };
  // Said at the start, not at the first order.
  webPush.getVapidHeaders(
    'https://push.invalid',
    subject,
    keys.publicKey,
    keys.privateKey,
    'aes128gcm',
  );

  function sealed(subscription: PushSubscription, message: string, ttlSeconds: number) {
    try {
      const { endpoint, keys } = subscription;
      return webPush.generateRequestDetails({ endpoint, keys: { ...keys } }, message, {
        vapidDetails,
        TTL: ttlSeconds,
        urgency: 'high',
      });
    } catch {
      // Its keys are none: whoever gave them can never be reached.
      return null;
    }
  }

  return async (subscription, message, { ttlSeconds }) => {
    const details = sealed(subscription, message, ttlSeconds);
    if (details === null) return 'refused';
    const { 'Content-Length': _counted, ...headers } = details.headers;
    const answer = await request(subscription.endpoint, {
      method: 'POST',
      headers,
      body: details.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    await answer.body?.cancel();
    const { status } = answer;
    if (answer.ok) return 'sent';
    if (GONE.includes(status)) return 'gone';
    if (status === BUSY || status >= 500) throw new Error(`the push service answered ${status}`);
    return 'refused';
  };
}
