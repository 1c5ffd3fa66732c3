import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Access, createMemoryEventStore, createMemoryLog } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import {
  all,
  happened,
  lived,
  marketOn,
  now,
  seen,
  setUpMoves,
  signal,
} from '../../../test/support/moves.js';
import { bindLog, refuseForeignLog } from '../../runtime/log-identity.js';
import { readMove, refuseMoved } from '../../runtime/move-mark.js';
import { checkBeforeMoveIn } from './in.js';
import { stateSpaces } from './state-spaces.js';

const { archiveIn, embedded, file, files, inMemory, into, out } = setUpMoves();

describe('a whole market', () => {
  it('moves from embedded engines to others and back, with all that people would miss', async () => {
    const first = await embedded('first');
    const life = await lived(first);
    const moved = await out(first, 'first.gz');
    expect(moved.counts).toEqual({ log: 4, state: 5, keys: 2, pictures: 1 });
    expect(statSync(file('first.gz')).mode & 0o777).toBe(0o600);

    const second = inMemory('second')();
    expect(await into(second, 'first.gz')).toMatchObject({ already: false, added: 4 });
    expect(await seen(second, life)).toEqual(all(await second.engines.eventStore.head()));
    await expect(refuseMoved(second)).resolves.toBeUndefined();
    expect(await into(second, 'first.gz')).toMatchObject({ already: true, added: 0 });

    // One more event there, so that the way back carries something new.
    await happened(second, 'review-1', 0, 'ReviewPosted');
    await out(second, 'second');
    const third = await embedded('third');
    await into(third, 'second');
    const head = await third.engines.eventStore.head();
    const { events, ...rest } = all(head);
    expect(await seen(third, life)).toEqual({ events: [...events, 'review-1@0'], ...rest });
  });

  it('takes every kind of State along without which something would be lost or done twice', async () => {
    const [first, second] = [await embedded('first'), inMemory('second')()];
    const spaces = Object.keys(stateSpaces);
    // As a heartbeat this is of a process that is gone.
    const value = { host: hostname() };
    for (const space of spaces) await first.engines.state.put(space, 'one', value, now());
    await out(first, 'first');
    await into(second, 'first');
    const moved = [];
    for (const space of spaces)
      if ((await second.engines.state.get(space, 'one', now())) !== null) moved.push(space);
    expect(moved.sort()).toEqual([
      'dispute-checks',
      'failed-accounts',
      'forgotten',
      'forgotten-later',
      'idempotency',
      'image-adopted',
      'image-uploads',
      'letters',
      'letters-later',
      'login-known',
      'password',
      'payment-checks',
      'payment-sandbox',
      'payout-checks',
      'payouts',
      'refund-looks',
      'refunds',
      'refunds-taken',
      'seed',
      'session',
      'webhooks',
    ]);
  });

  it('is read through once to be compared with what is there, however long it is', async () => {
    const first = await embedded('first');
    await lived(first);
    await out(first, 'first');
    let readings = 0;
    const counting: Access = async (what, work) => {
      if (what === 'read all') readings += 1;
      return work();
    };
    expect(await into(inMemory('second')(counting), 'first')).toMatchObject({ added: 4 });
    expect(readings).toBe(1);
  });

  it('is closed where it came from, and opened again only when told so', async () => {
    const first = await embedded('first');
    await lived(first);
    await expect(refuseMoved(first)).resolves.toBeUndefined();
    writeFileSync(file('there'), '');
    await expect(out(first, 'there')).rejects.toThrow(/is there already/);
    await expect(refuseMoved(first)).resolves.toBeUndefined();
    const { id } = await out(first, 'one');
    await expect(refuseMoved(first)).rejects.toThrow(/was moved out/);
    expect((await out(first, 'two')).id).toBe(id);
    // Moving the archive into the market that it came from opens that market again.
    expect(await into(first, 'two')).toMatchObject({ already: false, added: 0 });
    expect(await readMove(first)).toMatchObject({ id, way: 'in', done: true });
  });

  it('moves to another log alone, beside the state and keys that it was moved out of', async () => {
    const first = await embedded('first');
    const life = await lived(first);
    await bindLog(first);
    const onOther = marketOn(
      { ...first.engines, eventStore: createMemoryEventStore(createMemoryLog('other')) },
      first.config.dataDir,
      'other',
    );
    await out(first, 'first');
    await expect(refuseForeignLog(onOther)).rejects.toThrow(/is not the one/);
    expect(await into(onOther, 'first')).toMatchObject({ added: 4 });
    const head = await onOther.engines.eventStore.head();
    expect(await seen(onOther, life)).toEqual({ ...all(head), stayed: true });
    await expect(refuseForeignLog(onOther)).resolves.toBeUndefined();
    await expect(refuseForeignLog(first)).rejects.toThrow(/is not the one/);
    // Now that it is whole, a log that is not its own is refused again, by a second run too.
    await expect(into(first, 'first')).rejects.toThrow(/is not the one/);
  });

  it('goes on after it was killed at any moment, and is closed until its end', async () => {
    const first = await embedded('first');
    const life = await lived(first);
    await out(first, 'first');
    let [killedAt, ended] = [0, false];
    while (!ended) {
      killedAt += 1;
      const open = inMemory(`after ${killedAt}`);
      let left = killedAt;
      const dying: Access = async (_, work) => {
        if (left === 0) throw new Error('killed');
        left -= 1;
        return work();
      };
      ended = await into(open(dying), 'first').then(
        () => true,
        () => false,
      );
      const market = open();
      const isBegun = (await readMove(market)) !== null;
      if (!ended && isBegun) await expect(refuseMoved(market)).rejects.toThrow(/not complete yet/);
      await into(market, 'first');
      expect(await seen(market, life)).toEqual(all(await market.engines.eventStore.head()));
    }
    expect(killedAt).toBeGreaterThan(20);
  });

  it('is refused where another one is, before anything is written', async () => {
    const first = await embedded('first');
    await lived(first);
    await out(first, 'first');
    const withEvents = inMemory('with events')();
    await happened(withEvents, 'product-a', 0, 'ProductListed');
    const withOther = inMemory('with another event')();
    await happened(withOther, 'transaction-a', 0, 'OrderPlaced');
    const withState = inMemory('with state')();
    await withState.engines.state.put('password', 'obi', {}, now());
    const withKeys = inMemory('with keys')();
    await withKeys.engines.keys.obtain('seller:obi');
    for (const [market, why] of [
      [withEvents, /events of its own/],
      [withOther, /The stream transaction-a holds another event at revision 0/],
      [withState, /password in its state/],
      [withKeys, /keys of people/],
    ] as const) {
      const head = await market.engines.eventStore.head();
      await expect(checkBeforeMoveIn(market, await archiveIn('first'), signal)).rejects.toThrow(
        why,
      );
      await expect(into(market, 'first')).rejects.toThrow(why);
      expect(await market.engines.eventStore.head()).toBe(head);
      expect(await readMove(market)).toBeNull();
    }
  });

  it('is refused where a part of it is missing, changed or not its own', async () => {
    const first = await embedded('first');
    await lived(first);
    await out(first, 'first.gz');
    const lines = gunzipSync(readFileSync(file('first.gz')))
      .toString()
      .trimEnd()
      .split('\n');
    const refused = async (changed: readonly string[], why: RegExp) => {
      writeFileSync(file('changed.gz'), gzipSync(`${changed.join('\n')}\n`));
      await expect(archiveIn('changed.gz')).rejects.toThrow(why);
    };
    await refused(
      lines.filter((line) => !line.includes('"part":"keys"')),
      /checksum/,
    );
    await refused(lines.slice(0, -1), /its end is missing/);
    await refused([...lines.slice(0, 1), ...lines.slice(2)], /checksum/);
    await refused(
      lines.map((line) => line.replace('pictures/originals/', 'pictures/../../')),
      /line \d+ does not belong to it/,
    );
    await refused(
      lines.map((line) => line.replace('"format":1', '"format":2')),
      /it was made by a later release/,
    );
    await refused(
      ['{"kind":"oja-export","format":1,"logId":"x","at":"x"}'],
      /passwords, sessions, keys and pictures are missing.*use oja import/,
    );
    writeFileSync(file('cut.gz'), readFileSync(file('first.gz')).subarray(0, 200));
    await expect(archiveIn('cut.gz')).rejects.toThrow(/cannot be read/);
    await expect(archiveIn('nowhere')).rejects.toThrow(/cannot be read \(ENOENT\)/);
    expect(files().filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
