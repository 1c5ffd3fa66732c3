import { afterEach, beforeEach } from 'vitest';

/** The data of an engine, made for one test. */
export interface Fixture<E> {
  /** Opens the same data again, as another process or a restart would. */
  open(): Promise<E>;
  /** Opens the same data on a disk with little room; absent when the engine has no such disk. */
  openOnSmallDisk?(): Promise<E>;
  /** The JSON with which the scripts of `children/` open the same data. */
  readonly address: string;
  remove(): Promise<void>;
}

/** Gives each test fresh data, and closes everything that the test opened. */
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
