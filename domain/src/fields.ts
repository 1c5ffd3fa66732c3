import { z } from 'zod';

/** Parts that several events share. */
export const id = z.string().min(1);
export const instant = z.iso.datetime();
/** Whole kobo. */
export const kobo = z.number().int().min(0);
export const quantity = z.number().int().min(1);
