// Fixtures of a file of tests: made before each test, or before the first, and closed again.
import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";

/** An object that is made anew for every test: its properties are those of the present one. */
export function perTest<T extends object>(make: () => T | Promise<T>, close: (made: T) => unknown): T {
  const present = {} as T;
  beforeEach(async () => assignAll(present, await make()));
  afterEach(async () => void (await close(present)));
  return present;
}

/** An object that is made once for the tests of a file or a `describe`. */
export function perFile<T extends object>(
  make: () => T | Promise<T>,
  close: (made: T) => unknown,
  timeoutMs?: number,
): T {
  const present = {} as T;
  beforeAll(async () => assignAll(present, await make()), timeoutMs);
  afterAll(async () => void (await close(present)));
  return present;
}

/** Getters stay getters. */
function assignAll(target: object, source: object): void {
  Object.defineProperties(target, Object.getOwnPropertyDescriptors(source));
}
