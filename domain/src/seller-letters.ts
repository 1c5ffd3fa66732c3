import { z } from 'zod';
import {
  conflict,
  type Decision,
  decided,
  type EventOf,
  id,
  instant,
  nothingToDo,
  refused,
  type Sealed,
  sealed,
} from './decider.js';
import { emailCodes } from './rules/limits.js';
import { DAY_MS, EMAIL_CODE_VALID_MS, MINUTE_MS } from './rules/times.js';

const ask = z.int().positive();

/** Where e-mails to a seller go. Address and code are sealed under `seller:<id>`. */
export const sellerLetterEvents = {
  /** A code was requested for an address. `ask` numbers the seller's requests, from 1. */
  SellerEmailAsked: z.object({ sellerId: id, ask, email: sealed, code: sealed, at: instant }),
  /** The seller typed a wrong code. */
  SellerEmailMistyped: z.object({ sellerId: id, ask }),
  /** From now on, letters go to the address of request `ask`, and to no earlier one. */
  SellerEmailConfirmed: z.object({ sellerId: id, ask }),
  SellerEmailRemoved: z.object({ sellerId: id }),
  SellerLettersSwitched: z.object({ sellerId: id, on: z.boolean() }),
};
export type SellerLetterEvent = EventOf<typeof sellerLetterEvents>;

/** Asks for a code. Typing it back proves that letters to the address reach the seller. `at` is ISO 8601. */
interface AskEmail {
  readonly type: 'AskEmail';
  readonly email: Sealed;
  readonly code: Sealed;
  readonly at: string;
}
/** `isRight`: whether the typed code was correct. Only the caller can tell, because the code is sealed. */
interface ConfirmEmail {
  readonly type: 'ConfirmEmail';
  readonly ask: number;
  readonly isRight: boolean;
  readonly at: string;
}
interface RemoveEmail {
  readonly type: 'RemoveEmail';
}
interface SwitchLetters {
  readonly type: 'SwitchLetters';
  readonly on: boolean;
}
export type SellerLetterCommand = AskEmail | ConfirmEmail | RemoveEmail | SwitchLetters;

export interface SellerLetters {
  /** When the last codes were requested, oldest first. Holds at most the daily limit of entries. */
  readonly askedAt: readonly string[];
  /** The number of the last request for a code; 0 before the first. */
  readonly asks: number;
  /** The address that waits for its code. A confirmed address stays in use meanwhile. */
  readonly asked: {
    readonly email: Sealed;
    readonly code: Sealed;
    readonly at: string;
    readonly mistyped: number;
  } | null;
  /** The confirmed address. */
  readonly email: Sealed | null;
  readonly on: boolean;
}

export const noLetters: SellerLetters = {
  askedAt: [],
  asks: 0,
  asked: null,
  email: null,
  on: false,
};

export const isLetterEvent = (event: { readonly type: string }): event is SellerLetterEvent =>
  Object.hasOwn(sellerLetterEvents, event.type);

export function evolveLetters(letters: SellerLetters, event: SellerLetterEvent): SellerLetters {
  switch (event.type) {
    case 'SellerEmailAsked': {
      const { ask, email, code, at } = event.data;
      const askedAt = [...letters.askedAt, at].slice(-emailCodes.aDay);
      return { ...letters, askedAt, asks: ask, asked: { email, code, at, mistyped: 0 } };
    }
    case 'SellerEmailMistyped': {
      const { asked } = letters;
      return { ...letters, asked: asked && { ...asked, mistyped: asked.mistyped + 1 } };
    }
    case 'SellerEmailConfirmed':
      return { ...letters, asked: null, email: letters.asked?.email ?? letters.email, on: true };
    case 'SellerEmailRemoved':
      return { ...letters, asked: null, email: null, on: false };
    case 'SellerLettersSwitched':
      return { ...letters, on: event.data.on };
  }
}

const { aDay, tries } = emailCodes;
const enoughCodes = conflict(
  'email_codes_a_day',
  `A code was sent ${aDay} times in a day. Look in your spam folder, or try again tomorrow.`,
);
const noCode = conflict('no_email_code', 'There is no code to type: ask for one first.');
const oldCode = conflict(
  'email_code_expired',
  `The code was good for ${EMAIL_CODE_VALID_MS / MINUTE_MS} minutes. Send a new one.`,
);
const usedUp = conflict(
  'email_code_used_up',
  `The code was mistyped ${tries} times. Send a new one.`,
);
const noAddress = conflict(
  'no_email',
  'There is no address for letters yet: give one and type its code.',
);

/** How many tries are left for the pending code; 0 when no code is pending. */
export const triesLeft = ({ asked }: Pick<SellerLetters, 'asked'>): number =>
  asked === null ? 0 : Math.max(0, tries - asked.mistyped);

/** When the code requested at `askedAt` expires. ISO 8601 in UTC. */
export const codeExpiresAt = (askedAt: string): string =>
  new Date(Date.parse(askedAt) + EMAIL_CODE_VALID_MS).toISOString();

/** The events that a command about the letters to a registered seller causes, or why it is refused. */
export function decideLetters(
  command: SellerLetterCommand,
  sellerId: string,
  letters: SellerLetters,
): Decision<SellerLetterEvent> {
  switch (command.type) {
    case 'AskEmail': {
      const { email, code, at } = command;
      const since = Date.parse(at) - DAY_MS;
      const ofToday = letters.askedAt.filter((one) => Date.parse(one) > since);
      if (ofToday.length >= aDay) return refused(enoughCodes);
      const data = { sellerId, ask: letters.asks + 1, email, code, at };
      return decided({ type: 'SellerEmailAsked', data });
    }
    case 'ConfirmEmail': {
      const { ask, isRight, at } = command;
      // A newer code was requested meanwhile, so the typed code is no longer the valid one.
      if (letters.asked === null || ask !== letters.asks) return refused(noCode);
      if (Date.parse(at) >= Date.parse(codeExpiresAt(letters.asked.at))) return refused(oldCode);
      if (triesLeft(letters) === 0) return refused(usedUp);
      const type = isRight ? 'SellerEmailConfirmed' : 'SellerEmailMistyped';
      return decided({ type, data: { sellerId, ask } });
    }
    case 'RemoveEmail':
      if (letters.email === null && letters.asked === null) return nothingToDo;
      return decided({ type: 'SellerEmailRemoved', data: { sellerId } });
    case 'SwitchLetters':
      if (letters.email === null) return refused(noAddress);
      if (letters.on === command.on) return nothingToDo;
      return decided({ type: 'SellerLettersSwitched', data: { sellerId, on: command.on } });
  }
}
