/** Names of fields whose values are never written, at any depth. Compared without case, `_` and `-`. */
const HIDDEN_NAMES = [
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'secret',
  'tokenSecret',
  'paystackSecret',
  'tokenSecretFallback',
  'keysMasterKey',
  'keysMasterKeyFallback',
  'vapidPrivate',
  'privateKey',
  'authorization',
  'cookie',
  'setCookie',
  'idempotencyKey',
  'xPaystackSignature',
  'transactionId',
  'orderKey',
  'name',
  'fullName',
  'buyerName',
  'accountName',
  'accountNumber',
  'email',
  'to',
  'replyTo',
  'phone',
  'phone1',
  'phoneNumber',
  'address',
  'homeAddress',
  'clientAddress',
  'remoteAddress',
  'endpoint',
  'p256dh',
  'auth',
];

const plain = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');
const hidden = new Set(HIDDEN_NAMES.map(plain));

const REDACTED = '[redacted]';
/** Deeper values are cut off, which keeps lines short and ends cycles. */
const MAX_DEPTH = 8;

/** Hides everything from the first `//` to the last `@` of a word, because passwords may hold any character. */
function withoutCredentials(word: string): string {
  const from = word.indexOf('//');
  const to = word.lastIndexOf('@');
  return from === -1 || to < from ? word : `${word.slice(0, from)}//[credentials]${word.slice(to)}`;
}

const ENDS_LOCAL_PART = /[\s@<>"'()/:,;\]]/;
const ENDS_DOMAIN = /[\s@<>"'(),;]/;

/** Searches outwards from each `@`, so that no character is looked at more than twice. */
function withoutEmails(text: string): string {
  let out = '';
  let done = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let [start, end] = [at, at + 1];
    while (start > done && !ENDS_LOCAL_PART.test(text.charAt(start - 1))) start -= 1;
    while (end < text.length && !ENDS_DOMAIN.test(text.charAt(end))) end += 1;
    const dot = text.slice(at + 1, end).indexOf('.', 1);
    if (start === at || dot === -1 || at + 1 + dot === end - 1) continue;
    out += `${text.slice(done, start)}[e-mail]`;
    done = end;
  }
  return out + text.slice(done);
}

/**
 * Secrets that can be recognised by their form, anywhere in a text. Texts may come from attackers (a
 * path, a header), so each pattern starts at something rare: the cost is linear in the length.
 */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[A-Za-z0-9_-]{22}/gi, '[order]'],
  [/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '[token]'],
  [/\bBearer\s+\S+/gi, '[token]'],
  [/\bsk_(?:live|test)_\w+/g, '[secret]'],
];

/** Longer texts are cut: they would fill the disk, and nobody reads them. */
const MAX_TEXT = 16_384;

/** Removes secrets and personal data that can be recognised by their form, and cuts very long texts. */
export function redactText(text: string): string {
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} … (cut)` : text;
  const open = cut.replace(/\S+/g, withoutCredentials);
  return withoutEmails(FORMS.reduce((rest, [form, label]) => rest.replace(form, label), open));
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  return {
    type: error.constructor.name,
    message: redactText(error.message),
    stack: redactText(error.stack ?? ''),
    ...('code' in error ? { code: String(error.code) } : {}),
    ...(error.cause === undefined ? {} : { cause: redactValue(error.cause, depth + 1) }),
  };
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '[deeper]';
  if (value instanceof Error) return redactError(value, depth);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return '[bytes]';
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, depth + 1));
  return redactFields(value, depth);
}

function redactFields(fields: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      hidden.has(plain(name)) && value !== undefined ? REDACTED : redactValue(value, depth + 1),
    ]),
  );
}

/** Removes secrets and personal data from the fields of a log line. Errors become plain objects. */
export function redact(fields: object): Record<string, unknown> {
  return redactFields(fields, 0);
}
