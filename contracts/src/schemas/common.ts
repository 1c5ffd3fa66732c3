import { oneLine, severalLines, UNPRINTABLE_PROBLEM } from '@oja/domain/rules/typed';
import { z } from 'zod';

const idUpTo = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[\x21-\x7e]*$/, 'is not an id');

/** Ids on the wire are opaque strings of visible signs; they are never parsed for anything. */
export const id = idUpTo(64);

/** A payment's, which the provider may have made longer. */
export const paymentReference = idUpTo(100);

/** Ids with commas between them. */
export const idList = (most: number) =>
  z
    .string()
    .max(most * 65)
    .transform((text) => [...new Set(text.split(',').map((one) => one.trim()))].filter(Boolean))
    .pipe(z.array(id).max(most, `must have at most ${most} entries`));

/** What people write into a field of one line: it may be shown in a list, a letter or a terminal. */
export const line = z.string().trim().regex(oneLine, UNPRINTABLE_PROBLEM);
/** What people write into a field of several lines. */
export const lines = z.string().trim().regex(severalLines, UNPRINTABLE_PROBLEM);

/** Naira as a number, kobo as its decimals. Inside Oja money is whole kobo; only the wire says naira. */
export const naira = z.number().min(0).max(1_000_000_000);

/** 0 or 1: how the user's calls spell a boolean. */
export const flag = z.union([z.literal(0), z.literal(1)]);

/** ISO 8601 in UTC. */
export const instant = z.iso.datetime();

/** What is sealed and whose key is gone reads as null and is shown as 'removed'. */
export const personal = z.string().nullable();

/** A cursor is given back as it came. */
export const cursor = z.string().min(1).max(2_000);

export const succeeded = z.object({ success: z.literal(true) });
export const succeededWithMessage = z.object({ success: z.literal(true), message: z.string() });
