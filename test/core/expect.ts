// Helpers for tests of errors.
import { TorusError } from "../../src/core/errors.ts";

/** The TorusError that `work` throws; fails the test where it throws none. */
export function errorOf(work: () => unknown): TorusError {
  try {
    work();
  } catch (error) {
    if (error instanceof TorusError) return error;
    throw error;
  }
  throw new Error("should have thrown");
}
