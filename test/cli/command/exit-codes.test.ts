// Exit codes of errors: by the status of the answer, and of failures without one.
import { expect, test } from "bun:test";
import { ApiError } from "../../../src/cli/client/client.ts";
import { ConnectionError } from "../../../src/cli/client/connect.ts";
import { exitCodeOf, exitCodes } from "../../../src/cli/command/exit-codes.ts";
import { TorusError } from "../../../src/core/errors.ts";

test.each([
  [400, 4],
  [401, 6],
  [403, 6],
  [404, 3],
  [409, 4],
  [429, 4],
  [500, 1],
  [503, 1],
  // An answer that is not of a Torus server.
  [200, 1],
])("an answer of status %d ends a command with %d", (status, code) => {
  expect(exitCodeOf(new ApiError("", status))).toBe(code);
});

test.each([
  [new ConnectionError("refused"), 5],
  [new TorusError("invalid", "--from: is required"), 2],
  [new TorusError("storage_full", "no space"), 1],
  [new Error("bug"), 1],
])("%p ends a command with %d", (error, code) => expect(exitCodeOf(error)).toBe(code));

test("each code has one meaning", () => {
  expect(new Set(exitCodes.map(([code]) => code)).size).toBe(exitCodes.length);
});
