import { NoRoom } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { type Child, startChild } from './children.js';
import { anEvent, eventsIn, idsOf, someEvents, takeUntil, wholeLog } from './eventstore.events.js';
import { freshLog, type MakeEventStore } from './eventstore.fixture.js';

const never = new AbortController().signal;

async function linesOf(child: Child): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of child.lines) lines.push(line);
  return lines;
}

export function hostileMachine(make: MakeEventStore): void {
  describe('on a hostile machine', () => {
    const log = freshLog(make);

    it('gives two processes one order, which a subscriber sees without a gap', async () => {
      const store = await log.open();
      const heard = takeUntil(store.subscribe({ after: null, signal: never }), (item) => {
        return item.kind === 'event' && item.event.stream === 'end-1';
      });
      const children = ['a', 'b'].map((name) =>
        startChild('appender.mjs', log.fixture().address, name, '150'),
      );
      const acknowledged = (await Promise.all(children.map(linesOf))).flat();
      await Promise.all(children.map((child) => child.finish()));
      const all = await wholeLog(store);
      await store.append('end-1', 'no-stream', someEvents(1));

      expect(idsOf(all).sort()).toEqual(acknowledged.sort());
      expect(all.filter(({ stream }) => stream === 'own-a')).toHaveLength(150);
      const shared = all.filter(({ stream }) => stream === 'shared-1');
      expect(shared.map(({ revision }) => revision)).toEqual(shared.map((_, index) => index));
      expect(eventsIn(await heard).slice(0, -1)).toEqual(all);
    });

    it('loses nothing acknowledged when its process is killed in the middle', async () => {
      const store = await log.open();
      const child = startChild('appender.mjs', log.fixture().address, 'a', '1000000');
      const acknowledged: string[] = [];
      for (let line = 0; line < 50; line += 1) acknowledged.push(await child.nextLine());
      await child.killHard();
      acknowledged.push(...(await linesOf(child)));
      const ids = idsOf(await wholeLog(store));
      expect(ids).toEqual(expect.arrayContaining(acknowledged));
      // Only the append in progress may be stored without an acknowledgement.
      expect(ids.length - acknowledged.length).toBeLessThanOrEqual(1);
      expect(await store.append('note-1', 'no-stream', someEvents(1))).toMatchObject({ ok: true });
    });

    it('acknowledges nothing that a full disk has not taken, and says why', async (test) => {
      const { openOnSmallDisk } = log.fixture();
      if (!openOnSmallDisk) return test.skip('this engine has no small disk');
      const store = await openOnSmallDisk();
      const acknowledged: string[] = [];
      const failures: unknown[] = [];
      await Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          const event = anEvent({ text: 'x'.repeat(4_000) });
          try {
            await store.append(`note-${index}`, 'no-stream', [event]);
            acknowledged.push(event.id);
          } catch (error) {
            failures.push(error);
          }
        }),
      );
      for (let index = 100; failures.length === 0; index += 1) {
        const event = anEvent({ text: 'x'.repeat(4_000) });
        await store.append(`note-${index}`, 'no-stream', [event]).then(
          () => acknowledged.push(event.id),
          (error: unknown) => failures.push(error),
        );
      }
      for (const failure of failures) {
        expect(failure).toBeInstanceOf(NoRoom);
        expect(failure).toMatchObject({ message: /full/ });
      }
      await expect(store.append('note-x', 'no-stream', someEvents(1))).rejects.toThrow(/full/);
      expect(idsOf(await wholeLog(store)).sort()).toEqual(acknowledged.sort());
      await store.close();
      const again = await log.open();
      expect(idsOf(await wholeLog(again)).sort()).toEqual(acknowledged.sort());
      expect(await again.append('note-x', 'no-stream', someEvents(1))).toMatchObject({ ok: true });
    });
  });
}
