import { setTimeout as wait } from 'node:timers/promises';
import { LOOKING_PATIENCE, withContext } from '../../runtime/context.js';
import { outcomeOf } from '../../terminal/outcome.js';
import { fitted, type Output, paint, show } from '../../terminal/output.js';
import { canDraw, withScreen } from '../../terminal/screen.js';
import { createLooks, type Frame } from './frame.js';
import { linesOf } from './lines.js';

export interface TopOptions extends Output {
  readonly once?: boolean;
  /** Seconds between two looks. */
  readonly interval: number;
}

const USUAL_COLUMNS = 80;
/** When printed once, as many calls are listed as fit a usual screen. */
const USUAL_ROWS = 24;

/** Shows live figures on a terminal until the user leaves; prints one frame elsewhere, and for programs. */
export async function top({ once, interval, json }: TopOptions): Promise<void> {
  await withContext(
    async (context) => {
      const ms = interval * 1000;
      if (once || json || !canDraw()) {
        const look = createLooks(context, { wholeTimes: true });
        // Rates need two looks.
        await look();
        await wait(ms);
        const frame = await look();
        show<'top'>({ json: json === true }, frame, () =>
          linesOf(frame, process.stdout.columns || USUAL_COLUMNS, USUAL_ROWS),
        );
        return;
      }
      const look = createLooks(context);
      await withScreen(async ({ left, draw }) => {
        let last: Frame | null = null;
        while (!left.aborted) {
          try {
            const frame = await look();
            last = frame;
            draw((columns, rows) => linesOf(frame, columns, rows));
          } catch (error) {
            // An engine that is unavailable may come back.
            const { sentence } = outcomeOf(error, { watched: true });
            const known = last;
            draw((columns, rows) => [
              ...fitted(sentence, '', columns).map(paint.bad),
              '',
              ...(known === null ? [] : linesOf(known, columns, rows - 2)),
            ]);
          }
          await wait(ms, undefined, { signal: left }).catch(() => undefined);
        }
      });
    },
    { moved: true, ...LOOKING_PATIENCE },
  );
}
