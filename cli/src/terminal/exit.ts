/** Exit codes. 78 is EX_CONFIG of sysexits: correct the settings and start again. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, config: 78 } as const;

/** Ends a command with one sentence for the person at the terminal, without a stack trace. */
export class Exit extends Error {
  override readonly name = 'Exit';
  constructor(
    readonly code: number,
    sentence: string,
  ) {
    super(sentence);
  }
}

/** The operating system's code of an error, such as ENOENT; null for any other error. */
export const systemCodeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

export const failedExit = (sentence: string) => new Exit(exitCodes.failed, sentence);
export const usageExit = (sentence: string) => new Exit(exitCodes.usage, sentence);
export const configExit = (sentence: string) => new Exit(exitCodes.config, sentence);
