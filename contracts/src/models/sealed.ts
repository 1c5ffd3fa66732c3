/** A personal value as events carry it and documents copy it: unreadable without the subject's key. */
export type Sealed = { readonly sealed: string; readonly subject: string };
