import { limits } from '@oja/domain/rules';
import { cleanLine, cleanLines } from '@oja/domain/rules/user-input';
import { z } from 'zod';

const idUpTo = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[\x21-\x7e]*$/, 'is not an id');

/** Ids on the wire are opaque strings of printable ASCII without spaces. They are never parsed. */
export const id = idUpTo(64);

/** A payment reference. It may come from the provider and be longer than our ids. */
export const paymentReference = idUpTo(100);

/** A comma-separated list of at most `most` ids, without duplicates. */
export const idList = (most: number) =>
  z
    .string()
    .max(most * 65)
    .transform((text) => [...new Set(text.split(',').map((one) => one.trim()))].filter(Boolean))
    .pipe(z.array(id).max(most, `must have at most ${most} entries`));

/**
 * Text that people type into a single-line field. It may be shown in a list, an e-mail or a terminal, so signs that
 * cannot be seen are left out; they come with pasted text, and whoever pasted it could not find them.
 */
export const line = z.string().overwrite(cleanLine);
/** An e-mail address that people type. @param message what is said of any other text */
export const typedEmail = (message?: string) => line.check(z.email(message)).max(limits.email.max);
/** Text that people type into a multi-line field. */
export const lines = z.string().overwrite(cleanLines);

/** Naira as a number, with kobo as decimals. Only the wire uses naira; inside Oja money is whole kobo. */
export const naira = z.number().min(0).max(1_000_000_000);

/** 0 or 1: how the wire spells a boolean. */
export const flag = z.union([z.literal(0), z.literal(1)]);
export const asFlag = (yes: boolean): z.infer<typeof flag> => (yes ? 1 : 0);

/** ISO 8601 in UTC. */
export const instant = z.iso.datetime();

/** A personal value. It is null when its key was destroyed; the web app then shows 'removed'. */
export const personal = z.string().nullable();

/**
 * An opaque cursor: the client sends it back unchanged. It contains what its list is sorted by, and a folded name can be
 * 18 times as long as the name: the longest cursor has 5,300 characters.
 */
export const cursor = z.string().min(1).max(6_000);
/** How many items a page has. A number out of range counts as none. */
export const pageSize = (most: number = limits.page.max) =>
  z.coerce.number().int().min(1).max(most).optional().catch(undefined);

export const succeeded = z.object({ success: z.literal(true) });
export const succeededWithMessage = z.object({ success: z.literal(true), message: z.string() });
