export interface Letter {
  /** The same id is never delivered twice by one engine that can help it. */
  readonly id: string;
  /** Whose letter it is (`transaction:<id>`, …): one folder a subject, deleted by an erasure. */
  readonly subject: string;
  readonly to: string;
  readonly title: string;
  readonly text: string;
  readonly html?: string;
  readonly replyTo?: string;
}

/** This letter, or whom it goes to, is refused for good: asked again soon, the answer is the same. */
export class LetterRefused extends Error {
  override readonly name = 'LetterRefused';
}

/** Contract: `platform/test/contracts/mail.ts`. */
export interface Mail {
  /** @throws LetterRefused for this one alone; anything else where mail does not go out at all now. */
  send(letter: Letter): Promise<void>;
  /** Deletes what is kept of a subject's letters, where letters are kept at all. */
  forget(subject: string): Promise<void>;
  close(): Promise<void>;
}
