import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  interrupted,
  isMarked,
  lived,
  now,
  openedIn,
  passwordsIn,
  seen,
  setUpMoves,
} from '../../../test/support/moves.js';
import { deleteMove, readMove, readMoveEntry, refuseMoved } from '../../runtime/move-mark.js';
import type { MoveSource } from './out.js';

const { archiveIn, embedded, file, into, out } = setUpMoves();

describe('a market that is opened or moved again while it is moved', () => {
  it.each([
    ['a market of this machine opens', ({ config }: MoveSource) => openedIn(config.dataDir, true)],
    [
      'a service of another machine opens',
      ({ engines: { state } }: MoveSource) => {
        const service = { service: 'query-service', host: 'other', pid: 7 };
        return state.put('processes', 'query-service/other/7', service, now(), {
          expiresAt: now() + 20_000,
        });
      },
    ],
  ])('is refused where %s just before it is marked, and is as before', async (_, opens) => {
    const first = await embedded('first');
    await lived(first);
    const opening = interrupted(first, isMarked, () => opens(first));
    await expect(out(opening, 'refused')).rejects.toThrow(/runs: stop every service/);
    expect(await readMove(first)).toBeNull();

    const other = await embedded('other');
    await lived(other);
    await out(other, 'other');
    const empty = await embedded('empty');
    const opened = interrupted(empty, isMarked, () => opens(empty));
    await expect(into(opened, 'other')).rejects.toThrow(/runs: stop every service/);
    expect(await readMove(empty)).toBeNull();
    expect(await empty.engines.eventStore.head()).toBeNull();
  });

  it('is closed for good by one of two that move it out at once, and the other says so', async () => {
    const first = await embedded('first');
    await lived(first);
    const ended = await Promise.allSettled([out(first, 'both'), out(first, 'both')]);
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await readMove(first)).toMatchObject({ way: 'out', done: true });
    expect(await archiveIn('both')).toMatchObject({ header: { kind: 'oja-market' } });
  });

  it('is not opened again by a move out that another one has overtaken', async () => {
    const first = await embedded('first');
    await lived(first);
    const isReading = (method: string) => method === 'spaces';
    const slow = interrupted(first, isReading, () => out(first, 'quick'));
    await expect(out(slow, 'slow')).rejects.toThrow(/has moved or reopened this market meanwhile/);
    expect(await readMove(first)).toMatchObject({ way: 'out', done: true });
    expect(existsSync(file('slow'))).toBe(false);
    await archiveIn('quick');
  });

  it('is not closed by a move out during which it was reopened', async () => {
    const first = await embedded('first');
    await lived(first);
    const isReading = (method: string) => method === 'spaces';
    const reopened = interrupted(first, isReading, async () => {
      const move = await readMoveEntry(first);
      if (move !== null) await deleteMove(first, move);
    });
    await expect(out(reopened, 'gone')).rejects.toThrow(
      /has moved or reopened this market meanwhile/,
    );
    expect(existsSync(file('gone'))).toBe(false);
    await expect(refuseMoved(first)).resolves.toBeUndefined();
  });

  it('is not moved out while it is being moved in', async () => {
    const first = await embedded('first');
    await lived(first);
    await out(first, 'first');
    const second = await embedded('second');
    const isTakingState = (method: string, space: unknown) =>
      method === 'put' && space === 'password';
    const halfway = interrupted(second, isTakingState, () =>
      expect(out(second, 'half')).rejects.toThrow(/is being moved in here/),
    );
    await into(halfway, 'first');
    expect(existsSync(file('half'))).toBe(false);
  });

  it('is not written into any more by a move in that another one has overtaken', async () => {
    const first = await embedded('first');
    const life = await lived(first);
    await out(first, 'first');
    const second = await embedded('second');
    const { state } = second.engines;
    const slow = {
      ...second,
      engines: {
        ...second.engines,
        keys: {
          ...second.engines.keys,
          async adopt(kept: Parameters<typeof second.engines.keys.adopt>[0]) {
            await second.engines.keys.adopt(kept);
            await into(second, 'first');
            // The market is open by now, and its people go on.
            await passwordsIn(state).set('ada', 'a newer secret', now());
          },
        },
      },
    };
    await expect(into(slow, 'first')).rejects.toThrow(
      /has moved or reopened this market meanwhile/,
    );
    expect(await passwordsIn(state).matches('ada', 'a newer secret', now())).toBe(true);
    expect(await readMove(second)).toMatchObject({ way: 'in', done: true });
    expect((await seen(second, life)).secret).toBe('xyz');
  });
});
