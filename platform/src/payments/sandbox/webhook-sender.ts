/** Hands over one webhook; whether it was answered 200. An answer that does not come is a no. */
export type SendWebhook = (webhook: {
  readonly body: Buffer;
  readonly signature: string;
}) => Promise<boolean>;

/** Sends webhooks to an address as Paystack does. `timeoutMs` in milliseconds. */
export function webhookSender(url: string, timeoutMs = 10_000): SendWebhook {
  return async ({ body, signature }) => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-paystack-signature': signature },
        body: new Uint8Array(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      return response.status === 200;
    } catch {
      return false;
    }
  };
}
