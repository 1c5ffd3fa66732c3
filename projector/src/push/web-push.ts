import webPush from 'web-push';

/** A browser's address at its push service, and the keys to encrypt for this browser alone. */
export interface PushSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** `gone`: the subscription does not exist any more. `refused`: trying again would not help. */
export type Sent = 'sent' | 'gone' | 'refused';

/** Sends one push. @throws when the push service is unreachable or busy: try again. */
export type SendPush = (
  subscription: PushSubscription,
  message: string,
  options: { readonly ttlSeconds: number },
) => Promise<Sent>;

interface WebPushOptions {
  /** The market's VAPID key pair, base64url. */
  readonly keys: { readonly publicKey: string; readonly privateKey: string };
  /** Where a push service can complain: a `mailto:` or `https:` address. */
  readonly contact: string;
  /** Sends the request to the push service. Redirects are never followed. */
  readonly request?: typeof fetch;
}

/** Timeout for the push service's answer, in milliseconds. The push is then tried again later. */
const ANSWER_WITHIN_MS = 10_000;
/** 404: the push service does not know the subscription. 410: it has given the subscription up. */
const GONE: readonly number[] = [404, 410];
/** 429: too many requests. 406: the same, of Windows Push Notification Services. */
const BUSY: readonly number[] = [406, 429];

/** Encrypts and signs by the Web Push standards. @throws when `keys` is not a valid key pair. */
export function createWebPush(options: WebPushOptions): SendPush {
  const { keys, contact: subject, request = fetch } = options;
  const vapidDetails = { subject, ...keys };
  // Check the keys at startup, not at the first push.
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
      // The subscription's keys are invalid: its browser can never be reached.
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
    if (BUSY.includes(status) || status >= 500)
      throw new Error(`the push service answered ${status}`);
    return 'refused';
  };
}
