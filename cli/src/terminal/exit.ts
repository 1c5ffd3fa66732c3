/** What a process exits with; 78 is EX_CONFIG of sysexits: put the settings right and start again. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, config: 78 } as const;

/** Ends a command with one sentence for the person at the terminal; never a stack trace. */
export class Exit extends Error {
  override readonly name = 'Exit';
  constructor(
    readonly code: number,
    sentence: string,
  ) {
    super(sentence);
  }
}

export const configExit = (sentence: string) => new Exit(exitCodes.config, sentence);
