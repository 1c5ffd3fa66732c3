import { limits } from './limits.js';
import { fold } from './search-words.js';

/** A password needs at least this many different characters; with fewer, it is easily guessed. */
const MIN_DIFFERENT_CHARACTERS = 4;
/** Shorter words of a name are allowed as passwords: they say too little about the owner. */
const NAME_WORD_MIN = 4;

export interface PasswordOwner {
  readonly name: string;
  readonly businessName: string;
}

const lettersAndDigits = (text: string) => fold(text).replace(/[^\p{L}\p{Nd}]+/gu, '');

/** Strips the digits and signs that people put around a word to turn it into a password. */
const passwordCore = (password: string): string =>
  fold(password).replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');

function isOwnName(password: string, { name, businessName }: PasswordOwner): boolean {
  const words = `${name} ${businessName}`.split(/[^\p{L}\p{M}\p{Nd}]+/u).map(lettersAndDigits);
  const own = [lettersAndDigits(name), lettersAndDigits(businessName)].concat(
    words.filter((word) => word.length >= NAME_WORD_MIN),
  );
  const [whole, core] = [lettersAndDigits(password), lettersAndDigits(passwordCore(password))];
  return own.some((word) => word !== '' && (word === whole || word === core));
}

/**
 * Why a password is refused, in words for its owner; null when it is fine. `isCommon` tells whether
 * a lower-case text is among the passwords that attackers try first.
 */
export function passwordProblem(
  password: string,
  owner: PasswordOwner,
  isCommon: (text: string) => boolean,
): string | null {
  const { min, max } = limits.password;
  if (password.length < min) return `minimum of ${min} characters`;
  if (password.length > max) return `maximum of ${max} characters`;
  if (new Set(password).size < MIN_DIFFERENT_CHARACTERS)
    return 'choose one with more different characters';
  if (isOwnName(password, owner)) return 'choose one that is not your name or business name';
  if (isCommon(fold(password)) || isCommon(passwordCore(password)))
    return 'many people use this password: choose another one';
  return null;
}
