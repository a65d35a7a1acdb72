// Lists of servers in an address, as libpq reads them.
import { expect, test } from "bun:test";
import { listServers } from "../../../src/store/postgres/address.ts";

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
