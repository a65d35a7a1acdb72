// Host headers: normalisation, malformed headers, loopback names.
import { describe, expect, test } from "bun:test";
import { isAddress, isLoopbackName, parseHostName } from "../../../src/core/access/host.ts";

describe("name of a header", () => {
  test.each([
    ["localhost:8077", "localhost"],
    ["LOCALHOST", "localhost"],
    ["localhost.", "localhost"],
    ["web-1.example.org:80", "web-1.example.org"],
    ["my_host", "my_host"],
    ["x", "x"],
    ["127.0.0.1:1", "127.0.0.1"],
    ["[::1]:8077", "::1"],
    ["[FD00::1]", "fd00::1"],
  ])("%p: %p", (header, name) => expect(parseHostName(header)).toBe(name));

  test.each([
    "",
    "a, b",
    "a/b",
    "x?",
    "x#",
    "user@h",
    "a b",
    "a\\b",
    "::1",
    "[::1",
    "[zz]",
    "[1.2.3.4]",
    "a:",
    "a:b",
    "a:99999",
    "-a",
    "é",
    "x\u0000",
  ])("%p is malformed", (header) => expect(parseHostName(header)).toBeUndefined());
});

test.each([
  "localhost",
  "torus.localhost",
  "127.0.0.1",
  "127.1.2.3",
  "::1",
  "0:0:0:0:0:0:0:1",
  "::ffff:127.0.0.1",
])("%p leads to this machine", (name) => expect(isLoopbackName(name)).toBe(true));
test.each([
  "localhost.evil.test",
  "notlocalhost",
  "127.0.0.1.evil.test",
  "evil.test",
  "128.0.0.1",
  "0.0.0.0",
  "::2",
  "::ffff:10.0.0.1",
  "127.1",
])("%p may lead elsewhere", (name) => expect(isLoopbackName(name)).toBe(false));

test("addresses and names differ", () => {
  expect(["10.0.0.1", "fd00::1", "torus", "10.0.0.1.evil.test"].map(isAddress)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
