import { escapeControls } from './output.js';

/** Enter and leave the terminal's alternate screen, so that the shell's lines come back as they were. */
const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const TO_LINE_END = '\u001b[K';
const TO_SCREEN_END = '\u001b[J';

const CTRL_C = '\u0003';

/** The size assumed for a terminal that does not report its own. */
const USUAL = { columns: 80, rows: 24 };

/** Whether a screen can be drawn in place: standard output is a terminal, and not a dumb one. */
export const canDraw = (): boolean => process.stdout.isTTY === true && process.env.TERM !== 'dumb';

type Drawing = (columns: number, rows: number) => readonly string[];

export interface Screen {
  /** Aborts at q, at Ctrl-C, or when the process gets a signal to end. */
  readonly left: AbortSignal;
  /** Replaces the screen by these lines; draws again when the terminal is resized. Lines that do not fit are cut. */
  draw(lines: Drawing): void;
}

/** Takes over the whole terminal while `work` runs, and restores it whatever happens. */
export async function withScreen(work: (screen: Screen) => Promise<void>): Promise<void> {
  const { stdin, stdout } = process;
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  const onKey = (key: Buffer) => {
    if (['q', 'Q', CTRL_C].includes(key.toString())) leave();
  };
  let shown: Drawing = () => [];
  const redraw = () => {
    const rows = stdout.rows || USUAL.rows;
    const lines = shown(stdout.columns || USUAL.columns, rows).slice(0, rows);
    stdout.write(
      HOME + lines.map((line) => escapeControls(line) + TO_LINE_END).join('\r\n') + TO_SCREEN_END,
    );
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, leave);
  stdout.on('resize', redraw);
  if (stdin.isTTY) stdin.setRawMode(true).on('data', onKey);
  stdout.write(ENTER);
  try {
    await work({
      left: leaving.signal,
      draw(lines) {
        shown = lines;
        redraw();
      },
    });
  } finally {
    stdout.write(LEAVE);
    stdout.off('resize', redraw);
    if (stdin.isTTY) stdin.off('data', onKey).setRawMode(false).pause();
    for (const signal of signals) process.off(signal, leave);
  }
}
