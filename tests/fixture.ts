import { afterAll, beforeAll, onTestFinished } from "vitest";

type Removable = { remove(): unknown } | { close(): unknown };

/**
 * Starts something before the tests of this `describe`, and removes it after them, in the reverse order.
 * @returns a stand-in for it, whose properties may be read once it has started.
 */
export function useFixture<T extends Removable>(start: () => Promise<T>): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(async () => {
    if (started) await remove(started);
  });
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(started ?? {}, name),
    set: (_, name, value) => Reflect.set(started ?? {}, name, value),
  });
}

/** Removes something when the test has ended, what was started last first. @returns it. */
export function removeAfterTest<T extends Removable>(started: T): T {
  onTestFinished(async () => void (await remove(started)));
  return started;
}

const remove = (started: Removable) => ("remove" in started ? started.remove() : started.close());
