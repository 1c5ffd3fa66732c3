import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { calls } from './calls/index.js';

interface Leaf {
  readonly at: string;
  readonly schema: z.ZodType;
}

/** Every string schema in which callers write text, with its path; wrappers such as optional are removed. */
function leavesOf(schema: unknown, at: string): readonly Leaf[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, inner]) =>
      leavesOf(inner, `${at}.${name}`),
    );
  if (schema instanceof z.ZodArray) return leavesOf(schema.element, `${at}[]`);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodDefault
  )
    return leavesOf(schema.unwrap(), at);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => leavesOf(option, at));
  return schema instanceof z.ZodString || schema instanceof z.ZodStringFormat
    ? [{ at, schema }]
    : [];
}

const leaves: readonly Leaf[] = Object.values(calls).flatMap((call) =>
  leavesOf('body' in call ? call.body : undefined, call.name),
);

/** Passwords are hashed and never shown, so any character is allowed. */
const passwords = leaves.filter(({ at }) => /password/i.test(at)).map(({ at }) => at);
const severalLines = [
  'addProduct.updatedInput.description',
  'updateProduct.description',
  'addComment.comment_text',
  'sendEmail.message',
  'reportProblem.message',
  'resolveDispute.note',
];
/** Whether the sign, in a text, would get through to what is stored. */
function letsIn(schema: z.ZodType, sign: string): boolean {
  const { success, data } = z.safeParse(schema, `Ada${sign}Okafor`);
  return success && String(data).includes(sign);
}

/**
 * Characters that a terminal or a page would obey: they end a line, clear a screen or change the
 * reading direction.
 */
const signs = ['\0', '\n', '\t', '\r', '\x1b[2K', '\x9b2K', '\x7f', '\u2028', '\u202e', '\u2066'];

describe('text that people send', () => {
  it('is found in the table', () => {
    const known = leaves.map(({ at }) => at);
    expect(known).toEqual(expect.arrayContaining(severalLines));
    expect(known.length).toBeGreaterThan(50);
  });

  it('in a field of one line holds no sign that cannot be seen', () => {
    const letIn = leaves
      .filter(({ at }) => !passwords.includes(at) && !severalLines.includes(at))
      .flatMap(({ at, schema }) =>
        signs.filter((sign) => letsIn(schema, sign)).map((sign) => [at, sign]),
      );
    expect(letIn).toEqual([]);
  });

  it('is taken without the signs that come with copied text', () => {
    const { body } = calls.initializeTransaction;
    expect(body.shape.phone_number.parse('\u202a0803 412 7765\u202c')).toBe('0803 412 7765');
    expect(calls.addComment.body.shape.comment_text.parse('\u200eGood\nbag')).toBe('Good\nbag');
  });

  it.each([
    [calls.register.body.shape.phone_1, '08034127765'],
    [calls.setPayoutAccount.body.shape.account_number, '0123456789'],
    [calls.setPayoutAccount.body.shape.bank_code, '058'],
    [calls.askLetterAddress.body.shape.email, 'ada@example.com'],
    [calls.confirmLetterAddress.body.shape.code, '123456'],
    [calls.initializeTransaction.body.shape.email, 'ada@example.com'],
  ])('is so also where it has a form of its own: field %#', (schema, plain) => {
    expect(schema.parse(`\u202a${plain}\u202c`)).toBe(plain);
    expect(schema.safeParse(`${plain}\u202c, please`).success).toBe(false);
  });

  it('in a field of several lines holds of them only what makes lines', () => {
    const letIn = leaves
      .filter(({ at }) => severalLines.includes(at))
      .flatMap(({ at, schema }) =>
        signs
          .filter((sign) => letsIn(schema, sign) === !'\n\r\t'.includes(sign))
          .map((sign) => [at, sign]),
      );
    expect(letIn).toEqual([]);
  });
});
