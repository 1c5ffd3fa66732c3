/**
 * Names under which secrets and personal data travel, compared without case, `_` and `-`. A value
 * under such a name is never written, however deep it lies.
 */
const HIDDEN_NAMES = [
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'secret',
  'tokenSecret',
  'paystackSecret',
  'keysMasterKey',
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
/** Deeper values are cut off: a log line is no place for them, and a cycle must end. */
const MAX_DEPTH = 8;

/** What gives itself away by its form, wherever it stands in a text. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  // To the last @ of the word: passwords hold any sign.
  [/\/\/\S*@/g, '//[credentials]@'],
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[A-Za-z0-9_-]{22}/gi, '[order]'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '[token]'],
  [/\bBearer\s+\S+/gi, '[token]'],
  [/\bsk_(?:live|test)_\w+/g, '[secret]'],
  [/[^\s@<>"'()/:,;\]]+@[^\s@<>"'(),;]+\.[^\s@<>"'(),;]+/g, '[e-mail]'],
];

/** The text without secrets and personal data that can be told by their form. */
export function redactText(text: string): string {
  return FORMS.reduce((rest, [form, label]) => rest.replace(form, label), text);
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

/** The fields of a log line without secrets and personal data; errors become plain objects. */
export function redact(fields: object): Record<string, unknown> {
  return redactFields(fields, 0);
}
