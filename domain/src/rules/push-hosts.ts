/** The push services of the browsers. Whatever else is given as an endpoint is never called. */
const pushHosts = ['fcm.googleapis.com', 'updates.push.services.mozilla.com'] as const;
const pushDomains = ['.push.apple.com', '.notify.windows.com'] as const;

/**
 * Whether a subscription's endpoint belongs to a known push service, over https on its usual port.
 * Asked when it is given and again before each push.
 */
export function isPushEndpoint(endpoint: string): boolean {
  const host = /^https:\/\/([a-z0-9.-]+)\//i.exec(endpoint)?.[1]?.toLowerCase();
  if (host === undefined) return false;
  return (
    pushHosts.some((known) => known === host) ||
    pushDomains.some((domain) => host.length > domain.length && host.endsWith(domain))
  );
}
