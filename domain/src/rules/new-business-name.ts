import { businessNameKey } from './business-name.js';
import { limits } from './limits.js';
import { fold } from './search-words.js';

/** Words with which a name pretends to be the market itself. */
const OWN_WORDS = [
  ...['oja', 'admin', 'admins', 'administrator', 'administration', 'anonymous', 'moderator'],
  ...['support', 'official', 'helpdesk', 'customercare', 'customerservice', 'staff', 'paystack'],
];
/** Filler words: a name made only of these and of `OWN_WORDS` still claims to be the market's own. */
const PLAIN_WORDS = [
  ...['the', 'of', 'and', 'my', 'your', 'market', 'team', 'desk', 'help', 'service', 'services'],
  ...['payment', 'payments', 'payout', 'payouts', 'refund', 'refunds', 'security', 'account'],
  ...['accounts', 'billing', 'verification', 'verified', 'nigeria', 'ng', 'online', 'centre'],
];
/** i and l as one letter: capital I, small l and 1 look alike. */
const oneStroke = (text: string): string => text.replaceAll('l', 'i');
const anyOf = (...words: readonly string[]): string => `(?:${words.map(oneStroke).join('|')})`;
const ownName = new RegExp(
  `^${anyOf(...PLAIN_WORDS)}*${anyOf(...OWN_WORDS)}${anyOf(...OWN_WORDS, ...PLAIN_WORDS)}*$`,
);
/** Digits that look like letters. */
const READ_AS: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
};

/** Whether a name claims to be the market's own, in any spelling. */
export function isReservedBusinessName(name: string): boolean {
  const letters = fold(name).replace(/[^\p{L}\p{Nd}]/gu, '');
  const read = letters.replace(/[013457]/g, (digit) => READ_AS[digit] ?? digit);
  return [read, letters.replace(/\p{Nd}/gu, '')].some((text) => ownName.test(oneStroke(text)));
}

/**
 * The scripts that a name may use, one at a time (UTS 39, single script): those written in Nigeria, and those
 * whose letters do not look like Latin ones. Cyrillic and Greek are left out because many of their letters do.
 */
const scripts = [
  ...['Latin', 'Arabic', 'Adlam', 'Nko', 'Ethiopic', 'Hebrew', 'Devanagari', 'Bengali', 'Tamil'],
  ...['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai'],
].map((script) => new RegExp(`\\p{Script=${script}}`, 'u'));
/** Japanese mixes these three scripts. */
const TOGETHER = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]*$/u;
/**
 * Letters of these scripts that look like others or are invisible: dotless i, the phonetic blocks (except the
 * letters that the alphabets of Nigeria and its neighbours use), and the Hangul fillers.
 */
const LOOKALIKE =
  /[\u0131\u0184\u0185\u01C0-\u01C3\u0250-\u0252\u0255\u0258\u025A\u025C-\u0262\u0264-\u0267\u026A-\u0271\u0273-\u0288\u028C-\u02FF\u115F\u1160\u1D00-\u1DBF\u2C60-\u2C7F\u3164\uA720-\uA7FF\uAB30-\uAB6F\uFFA0]/u;
const MOST_MARKS = 3;
const ONE_SCRIPT = 'write the name in the letters of one script';
const OF_KNOWN = 'only letters of scripts that look like no other can stand in a business name';

/** Why a name's letters could make it look like another name; null when they could not. */
function lookalikeProblem(name: string): string | null {
  const letters = name.normalize('NFKC').replace(/[^\p{L}]/gu, '');
  const used = scripts.filter((script) => script.test(letters));
  const known = [...letters].every((letter) => used.some((script) => script.test(letter)));
  if (!known) return used.length > 0 ? ONE_SCRIPT : OF_KNOWN;
  if (used.length > 1 && !TOGETHER.test(letters)) return ONE_SCRIPT;
  // The original text is tested too, because normalizing turns some lookalikes into the letters they imitate.
  if (
    LOOKALIKE.test(name) ||
    LOOKALIKE.test(letters) ||
    /(?![0-9])\p{Nd}/u.test(name.normalize('NFKC'))
  )
    return OF_KNOWN;
  return new RegExp(`\\p{M}{${MOST_MARKS + 1}}`, 'u').test(name.normalize('NFD'))
    ? 'a letter has too many marks'
    : null;
}

/** Why a name cannot be a new business name, in words for its owner; null when it can. */
export function businessNameProblem(name: string): string | null {
  const trimmed = name.trim();
  const length = [...trimmed].length;
  if (length === 0) return 'please enter your business name!';
  if (length < limits.businessName.min) return `minimum of ${limits.businessName.min} characters`;
  if (length > limits.businessName.max) return `maximum of ${limits.businessName.max} characters`;
  if (!/^[\p{L}\p{M}\p{Nd} &'.-]+$/u.test(trimmed))
    return "only letters, digits, spaces and & ' . - can stand in a business name";
  const key = businessNameKey(trimmed);
  if (!/[\p{L}\p{Nd}]/u.test(key)) return 'a business name needs letters or digits';
  if (isReservedBusinessName(trimmed)) return 'this name is reserved';
  return lookalikeProblem(trimmed);
}
