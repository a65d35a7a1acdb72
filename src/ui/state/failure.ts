// What failed, in the language of the page: jobs, and tests of buckets.
import { texts } from "./preferences.ts";

interface Failure {
  readonly code?: string;
  /** In English. */
  readonly error?: string;
}

/** Undefined of what did not fail. */
export function failureOf({ code = "", error }: Failure): string | undefined {
  return error && texts.value.problem(code, error);
}
