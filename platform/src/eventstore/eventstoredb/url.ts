/** The client's options that Oja allows. The client compares them without case. */
const options: ReadonlySet<string> = new Set([
  'tls',
  'tlscafile',
  'usercertfile',
  'userkeyfile',
  'connectionname',
  'defaultdeadline',
  'discoveryinterval',
  'gossiptimeout',
  'maxdiscoverattempts',
  'nodepreference',
  'keepaliveinterval',
  'keepalivetimeout',
]);

const shape = /^esdb(?:\+discover)?:\/\/(?:([^@/?]*)@)?([^@/?]+)\/?(?:\?(.*))?$/;
const credentials = /^[^:]+:[^:]+$/;
const host = /^[^:\s]+(?::\d{1,5})?$/;

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Says what is wrong with a connection string; null when it is valid. The client itself would cut a
 * password at its second colon, and print the whole string, password included, over an unknown option.
 */
export function problemOfUrl(url: string): string | null {
  const [whole, who, hosts = '', query] = shape.exec(url.trim()) ?? [];
  if (whole === undefined) return 'must look like esdb://user:password@host:2113?tls=true';
  if (who !== undefined && !(credentials.test(who) && isDecodable(who)))
    return 'must have user:password before the @, both URL-encoded (a colon is %3A, an @ is %40)';
  if (!hosts.split(',').every((each) => host.test(each)))
    return 'must name its hosts as host:port, separated by commas';
  for (const option of query?.split('&') ?? []) {
    const [name = '', value = ''] = option.split('=');
    if (!options.has(name.toLowerCase()) || value === '')
      return `must not have the option '${name}' (or not without a value)`;
  }
  return null;
}
