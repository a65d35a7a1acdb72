// API tokens: scopes, and Authorization headers.
import { describe, expect, test } from "bun:test";
import {
  allows,
  assertScope,
  ConfiguredTokens,
  digestOf,
  formatSecret,
  narrowerScope,
  parseAuthorization,
  type Scope,
  scopes,
  TokenInput,
  unrestricted,
} from "../../../src/core/access/token.ts";
import { check } from "../../../src/core/input/schema.ts";
import { errorOf } from "../expect.ts";

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

test("each scope allows what those before it allow", () => {
  const allowed = scopes.map((scope) => scopes.filter((needed) => allows(scope, needed)));
  expect(allowed).toEqual([["read"], ["read", "run"], ["read", "run", "admin"]]);
});

test.each<[Scope, Scope, Scope]>([
  ["read", "admin", "read"],
  ["admin", "run", "run"],
  ["run", "run", "run"],
])("of %s and %s the lesser is %s", (a, b, expected) => expect(narrowerScope(a, b)).toBe(expected));

test("the error of an insufficient scope names the needed one", () => {
  const reader = { scope: "read", token: { id: "1", name: "grafana", scope: "read" } } as const;
  const error = errorOf(() => assertScope(reader, "run"));
  expect(error.code).toBe("forbidden");
  expect(error.details.scope).toBe("run");
  expect(error.message).toContain("token grafana has scope read, this needs run");
  expect(() => assertScope(unrestricted, "admin")).not.toThrow();
});

describe("an Authorization header", () => {
  const cases: [string, string, ReturnType<typeof parseAuthorization>][] = [
    ["bearer", "Bearer torus_abc", { secret: "torus_abc" }],
    ["the scheme in any case", "bEARER abc", { secret: "abc" }],
    ["blanks around", "Bearer   abc ", { secret: "abc" }],
    ["basic", basic("ops:torus_abc"), { name: "ops", secret: "torus_abc" }],
    ["a colon in the password", basic("ops:a:b"), { name: "ops", secret: "a:b" }],
    ["no name", basic(":abc"), { name: "", secret: "abc" }],
    ["basic without a colon", basic("ops"), undefined],
    ["basic that is no base64", "Basic ***", undefined],
    ["no scheme", "torus_abc", undefined],
    ["another scheme", "Digest abc", undefined],
    ["two words", "Bearer a b", undefined],
    ["nothing", "", undefined],
    ["a scheme alone", "Bearer", undefined],
    ["something endless", `Bearer ${"x".repeat(5000)}`, undefined],
  ];
  test.each(cases)("%s", (_name, header, expected) => expect(parseAuthorization(header)).toEqual(expected));
});

test("a secret is 256 bits behind a prefix that scanners know", () => {
  expect(formatSecret(new Uint8Array(32))).toMatch(/^torus_A{43}$/);
  expect(formatSecret(new Uint8Array(32).fill(255))).toMatch(/^torus_[\w-]{43}$/);
  expect(() => formatSecret(new Uint8Array(16))).toThrow();
  expect(digestOf("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test.each<[unknown, string]>([
  [{ scope: "read" }, "name"],
  [{ name: "a/b", scope: "read" }, "name"],
  [{ name: "a", scope: "root" }, "scope"],
  [{ name: "a" }, "scope"],
  [{ name: "a", scope: "read", expires_in: "soon" }, "expires_in"],
  [{ name: "a", scope: "read", expires_in: "0d" }, "expires_in"],
  [{ name: "a", scope: "read", expires_in: 0 }, "expires_in"],
  [{ name: "a", scope: "read", token: "mine" }, "token"],
])("%p is no token: %s", (body, path) => {
  expect(errorOf(() => check(TokenInput, body)).details.path).toBe(path);
});

test("a token of the settings is refused without being shown", () => {
  for (const token of ["short", "with a space in the middle of it", "hunter2\n".repeat(5)]) {
    const error = errorOf(() => check(ConfiguredTokens, [{ name: "a", scope: "read", token }]));
    expect(error.details.path).toBe("0.token");
    expect(error.message).not.toContain(token);
  }
});
