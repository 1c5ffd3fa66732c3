import { afterEach, beforeEach } from 'vitest';

/** One port's data, made for one test. */
export interface Fixture<E> {
  /** Opens the same data once more, as another process or a restart would. */
  open(): Promise<E>;
  /** The same data on a disk that has room for little; only where the test can make one. */
  openOnSmallDisk?(): Promise<E>;
  /** How `children/` scripts open the same data. */
  readonly address: string;
  remove(): Promise<void>;
}

/** Gives each test fresh data, and closes all that was opened. */
export function fresh<E extends { close(): Promise<void> }, F extends Fixture<E> = Fixture<E>>(
  make: () => Promise<F & Fixture<E>>,
): { open(): Promise<E>; opened(engine: E): E; fixture(): F } {
  let current: F | null = null;
  let engines: E[] = [];

  function fixture(): F {
    if (!current) throw new Error('There is a fixture only while a test runs');
    return current;
  }

  function opened(engine: E): E {
    engines.push(engine);
    return engine;
  }

  beforeEach(async () => {
    current = await make();
  });
  afterEach(async () => {
    await Promise.all(engines.map((engine) => engine.close()));
    engines = [];
    await current?.remove();
    current = null;
  });

  return { fixture, opened, open: async () => opened(await fixture().open()) };
}
