import { limits } from './limits.js';
import { fold } from './search-words.js';

/** Fewer different characters than this are typed faster than they are guessed, but not by much. */
const LEAST_DIFFERENT = 4;
/** Shorter words of a name say too little of it to be refused. */
const NAME_WORD_MIN = 4;

export interface PasswordOwner {
  readonly name: string;
  readonly businessName: string;
}

const squeezed = (text: string) => fold(text).replace(/[^\p{L}\p{Nd}]+/gu, '');

/** Without the digits and signs that people put around a word to make it a password. */
const passwordCore = (password: string): string =>
  fold(password).replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');

function isOwnName(password: string, { name, businessName }: PasswordOwner): boolean {
  const words = `${name} ${businessName}`.split(/[^\p{L}\p{M}\p{Nd}]+/u).map(squeezed);
  const own = [squeezed(name), squeezed(businessName)].concat(
    words.filter((word) => word.length >= NAME_WORD_MIN),
  );
  const [whole, core] = [squeezed(password), squeezed(passwordCore(password))];
  return own.some((word) => word !== '' && (word === whole || word === core));
}

/**
 * What is wrong with a new password, in words for its owner; null: nothing. `isCommon` knows the
 * passwords that guessers try first, in lower case.
 */
export function passwordProblem(
  password: string,
  owner: PasswordOwner,
  isCommon: (text: string) => boolean,
): string | null {
  const { min, max } = limits.password;
  if (password.length < min) return `minimum of ${min} characters`;
  if (password.length > max) return `maximum of ${max} characters`;
  if (new Set(password).size < LEAST_DIFFERENT) return 'choose one with more different characters';
  if (isOwnName(password, owner)) return 'choose one that is not your name or business name';
  if (isCommon(fold(password)) || isCommon(passwordCore(password)))
    return 'many people use this password: choose another one';
  return null;
}
