// Exit codes of the command line: one for each kind of failure that scripts handle on their own.
import { type ErrorCode, TorusError } from "../../core/errors.ts";
import { ApiError } from "../client/client.ts";
import { ConnectionError } from "../client/connect.ts";

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;
export const EXIT_NOT_FOUND = 3;
export const EXIT_REFUSED = 4;
export const EXIT_UNREACHABLE = 5;
export const EXIT_UNAUTHORISED = 6;

/** Meanings by code, for help, documents and the man page. */
export const exitCodes: readonly (readonly [code: number, meaning: string])[] = [
  [0, "success"],
  [EXIT_FAILED, "the server or a job failed"],
  [EXIT_USAGE, "usage error"],
  [EXIT_NOT_FOUND, "not found"],
  [EXIT_REFUSED, "refused by the server"],
  [EXIT_UNREACHABLE, "no connection or no answer in time"],
  [EXIT_UNAUTHORISED, "token missing, invalid or without the right"],
  [130, "interrupted"],
  [143, "ended by SIGTERM"],
];

/** Failures of work on a state without a server; other errors of the program's own are of wrong use. */
const failures: ReadonlySet<ErrorCode> = new Set(["internal", "storage_full", "storage_unavailable"]);

/** Exit code of an error that ends a command. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof TorusError) return failures.has(error.code) ? EXIT_FAILED : EXIT_USAGE;
  if (error instanceof ConnectionError) return EXIT_UNREACHABLE;
  return error instanceof ApiError ? exitCodeOfStatus(error.status) : EXIT_FAILED;
}

function exitCodeOfStatus(status: number): number {
  if (status === 401 || status === 403) return EXIT_UNAUTHORISED;
  if (status === 404) return EXIT_NOT_FOUND;
  return status >= 400 && status < 500 ? EXIT_REFUSED : EXIT_FAILED;
}
