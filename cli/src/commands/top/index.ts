import { setTimeout as wait } from 'node:timers/promises';
import { withContext } from '../../runtime/context.js';
import { outcomeOf } from '../../terminal/outcome.js';
import { fitted, type Output, paint, show } from '../../terminal/output.js';
import { canDraw, withScreen } from '../../terminal/screen.js';
import { createLooks, type Frame } from './frame.js';
import { linesOf } from './lines.js';

export interface TopOptions extends Output {
  readonly once?: boolean;
  /** Seconds from one look to the next. */
  readonly interval: number;
}

const USUAL_COLUMNS = 80;
/** Where it is printed once, all calls that have a place on a screen. */
const USUAL_ROWS = 24;

/** How the market does, on a terminal again and again until somebody leaves; elsewhere, and for programs, once. */
export async function top({ once, interval, json }: TopOptions): Promise<void> {
  await withContext(
    async (context) => {
      const ms = interval * 1000;
      if (once || json || !canDraw()) {
        const look = createLooks(context, { wholeTimes: true });
        // A rate is between two looks.
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
            // An engine that is away may come back.
            const { sentence } = outcomeOf(error);
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
    { moved: true },
  );
}
