// Errors of PostgreSQL: conflicts are tried again, outages are temporary, parameters never leave.
import { expect, test } from "bun:test";
import { DrizzleQueryError } from "drizzle-orm";
import { TorusError } from "../../../src/core/errors.ts";
import { isBroken, isConflict, translate } from "../../../src/store/postgres/errors.ts";

const errorOf = (code: string, errno?: string) =>
  Object.assign(new Error("of the server"), { code, ...(errno && { errno }) });
const wrapped = (cause: Error) =>
  new DrizzleQueryError("insert into buckets values (?)", ["MARKER-secret"], cause);

test.each(["40001", "40P01"])("SQLSTATE %s is a conflict, also within drizzle's error", (state) => {
  const error = errorOf("ERR_POSTGRES_SERVER_ERROR", state);
  expect([error, wrapped(error)].map(isConflict)).toEqual([true, true]);
  expect(isBroken(error)).toBe(false);
});

test.each([
  ["ERR_POSTGRES_CONNECTION_CLOSED", ""],
  ["ECONNREFUSED", ""],
  ["ETIMEDOUT", ""],
  ["ERR_POSTGRES_SERVER_ERROR", "57P01"],
  ["ERR_POSTGRES_SERVER_ERROR", "57014"],
  ["ERR_POSTGRES_SERVER_ERROR", "25006"],
  ["ERR_POSTGRES_SERVER_ERROR", "08006"],
])("%s %s is an outage", (code, errno) => {
  const error = wrapped(errorOf(code, errno));
  expect(isBroken(error)).toBe(true);
  expect(translate(error)).toMatchObject({ code: "storage_unavailable" });
});

test.each([
  ["53300", "has no connection left: raise max_connections there, or lower storage.pool (SQLSTATE 53300)"],
  ["57P03", "is starting or shutting down (SQLSTATE 57P03)"],
  ["08006", "refuses work (SQLSTATE 08006)"],
])("SQLSTATE %s says what to do", (state, reason) => {
  const error = translate(errorOf("ERR_POSTGRES_SERVER_ERROR", state)) as TorusError;
  expect(error.message).toBe(`the database ${reason}: nothing was changed; try again`);
});

test("a full disk is `storage_full`", () => {
  expect(translate(errorOf("ERR_POSTGRES_SERVER_ERROR", "53100"))).toMatchObject({ code: "storage_full" });
});

test.each([
  "ERR_POSTGRES_SYNTAX_ERROR",
  "ERR_POSTGRES_SERVER_ERROR",
])("%s is a bug, without its parameters", (code) => {
  const cause = errorOf(code, "42601");
  expect(isBroken(cause)).toBe(false);
  expect(translate(wrapped(cause))).toBe(cause);
});

test("a TorusError passes", () => {
  const error = new TorusError("not_found", "no such model");
  expect(translate(error)).toBe(error);
});
