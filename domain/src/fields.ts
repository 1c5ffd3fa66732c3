import { z } from 'zod';

/** Parts that several events share. */
export const id = z.string().min(1);
export const instant = z.iso.datetime();
/** Whole kobo. */
export const kobo = z.number().int().min(0);
export const quantity = z.number().int().min(1);

/**
 * A personal value that only the holder of the subject's key can read (AES-256-GCM, base64). The
 * domain never opens one.
 */
export const sealed = z.object({ sealed: z.string().min(1), subject: z.string().min(1) });
export type Sealed = z.infer<typeof sealed>;
