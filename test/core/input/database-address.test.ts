// Lists of servers in an address, as libpq reads them.
import { expect, test } from "bun:test";
import {
  checkDatabaseAddress,
  describeServers,
  listServers,
} from "../../../src/core/input/database-address.ts";

test.each([
  ["postgres://u:p@db:5432/torus", ["postgres://u:p@db:5432/torus"]],
  ["postgres://db", ["postgres://db"]],
  ["postgres://u:p%40x@a,b:6/torus", ["postgres://u:p%40x@a/torus", "postgres://u:p%40x@b:6/torus"]],
  ["postgresql://u:a@b@c,d/t", ["postgresql://u:a@b@c/t", "postgresql://u:a@b@d/t"]],
  ["postgres://u@[::1]:5,[fe80::2]/t", ["postgres://u@[::1]:5/t", "postgres://u@[fe80::2]/t"]],
  [
    "postgres://u:p@a,b/t?sslmode=verify-full&target_session_attrs=read-write",
    ["postgres://u:p@a/t?sslmode=verify-full", "postgres://u:p@b/t?sslmode=verify-full"],
  ],
  ["postgres://a/t?target_session_attrs=primary", ["postgres://a/t"]],
])("%s", (url, servers) => {
  expect(listServers(url)).toEqual(servers);
});

test.each(["standby", "read-only", "prefer-standby", "x"])("a target of %s is refused", (target) => {
  expect(() => listServers(`postgres://u:pw@a,b/t?target_session_attrs=${target}`)).toThrow(
    "storage.url: target_session_attrs must be read-write or primary: the state is written",
  );
});

test.each([
  "postgres://u:p@db:5432/torus",
  "postgres://db",
  "postgres://u:p@x@a,b:6/t?sslmode=verify-full&target_session_attrs=primary",
  "postgres://o%27dd%20u:p%40ss%2Fw%25@[::1]:5,h/odd%20db",
  "postgres://u:p@%2Frun%2Fpostgresql:5432/t",
  "postgres:///t?host=/run/postgresql",
])("%s can be read", (url) => {
  expect(() => checkDatabaseAddress(url)).not.toThrow();
});

test.each([
  ["a port that is no number", "postgres://u:MARKER@db:54x/t"],
  ["a port of the second server", "postgres://u:MARKER@a,b:99999/t"],
  ["a slash in the password", "postgres://u:MARKER/x@db/t"],
  ["a slash after a password's first digits", "postgres://u:1/MARKER@db/t"],
  ["a question mark after them", "postgres://u:1?MARKER@db/t"],
  ["a hash after them", "postgres://u:1#MARKER@db/t"],
  ["a broken percent-encoding of the password", "postgres://u:MARKER%ZZ@db/t"],
  ["a broken percent-encoding of the database", "postgres://u:MARKER@db/t%"],
])("%s is refused without the password", (_name, url) => {
  const rule =
    "storage.url: cannot be read as an address: check host and port, and write / ? # % of user, password and database as %2F %3F %23 %25";
  expect(() => checkDatabaseAddress(url)).toThrow(new Error(rule));
});

test("an unknown sslmode is refused with those there are", () => {
  expect(() => checkDatabaseAddress("postgres://u@a,b/t?sslmode=on")).toThrow(
    "storage.url: sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full",
  );
});

test("servers are described without user and password", () => {
  expect(describeServers("postgres://u:p@db1:5432,db2/t?sslmode=require")).toBe("db1:5432, db2");
});
