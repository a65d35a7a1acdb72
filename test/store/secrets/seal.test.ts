// Sealed values: which fields, nothing of them visible, opened only in their place with their key, unchanged.
import { describe, expect, test } from "bun:test";
import { createVault, isEnvelope, keyIdOf, type Place, plainVault } from "../../../src/store/secrets/seal.ts";

const key = new Uint8Array(32).fill(1);
const secretsOf = (table: string, kind: string) =>
  table === "hooks" && kind === "webhook" ? ["secret", "headers"] : [];
const vault = createVault(key, secretsOf);
const place: Place = { table: "hooks", row: ["m", "h"] };
const config = {
  url: "https://example.org/x",
  secret: "hunter2",
  headers: { authorization: "Bearer hunter2", list: [1, null] },
  text: "hello",
  count: 3,
};

test("seals the fields that a kind names, nested or not; the rest stays readable", () => {
  const sealed = vault.seal(place, config, "webhook");
  expect(sealed).toMatchObject({ url: config.url, text: "hello", count: 3 });
  expect(sealed.secret).toMatch(/^sealed:1:[0-9a-f]{8}:[A-Za-z0-9+/]+=*$/);
  expect([isEnvelope(sealed.secret), isEnvelope(sealed.headers)]).toEqual([true, true]);
  expect(JSON.stringify(sealed)).not.toContain("hunter2");
  expect(vault.open(place, sealed)).toEqual(config);
  expect(config.secret).toBe("hunter2");
});

test("so is what views hide of any kind: known keys, and credentials in addresses", () => {
  const fields = {
    addr: "http://ada:hunter2@h:8086",
    deep: [{ password: "hunter2" }],
    dbuser: "ada",
    measurement: "m",
  };
  const sealed = vault.seal({ table: "buckets", row: ["b"] }, fields, "influxdb");
  expect(Object.entries(sealed).map(([name, value]) => [name, isEnvelope(value)])).toEqual([
    ["addr", true],
    ["deep", true],
    ["dbuser", true],
    ["measurement", false],
  ]);
  expect(vault.open({ table: "buckets", row: ["b"] }, sealed)).toEqual(fields);
});

test("equal values are sealed differently each time", () => {
  const all = Array.from({ length: 100 }, () => vault.seal(place, config, "webhook").secret);
  expect(new Set(all).size).toBe(100);
});

test("a value that only looks sealed is sealed as well, and comes back as it was", () => {
  const [forged] = [`sealed:1:${keyIdOf(key)}:AAAA`];
  const sealed = vault.seal(place, { text: forged }, "webhook");
  expect(sealed.text).not.toBe(forged);
  expect(vault.open(place, sealed)).toEqual({ text: forged! });
});

test.each([
  ["", ""],
  ["unicode", "pässwörd ✓"],
  ["null", null],
  ["long", "x".repeat(100_000)],
  ["an object", { a: { b: [] } }],
])("%s survives", (_name, secret) => {
  expect(vault.open(place, vault.seal(place, { secret }, "webhook"))).toEqual({ secret });
});

describe("a sealed value does not open", () => {
  const sealed = vault.seal(place, config, "webhook") as unknown as Record<string, string>;
  const flip = (text: string, at: number) =>
    text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
  const body = sealed.secret!.lastIndexOf(":") + 1;
  const moved: [string, Place, Record<string, unknown>][] = [
    ["in another row", { table: "hooks", row: ["m", "other"] }, { secret: sealed.secret }],
    ["in the row of another model", { table: "hooks", row: ["other", "h"] }, { secret: sealed.secret }],
    ["in a row whose name only reads the same", { table: "hooks", row: ["m/h"] }, { secret: sealed.secret }],
    ["in another table", { table: "buckets", row: ["m", "h"] }, { secret: sealed.secret }],
    ["in another field", place, { text: sealed.secret }],
    ["with another nonce", place, { secret: flip(sealed.secret!, body) }],
    ["with other bytes", place, { secret: flip(sealed.secret!, body + 18) }],
    ["with another tag", place, { secret: flip(sealed.secret!, sealed.secret!.length - 4) }],
    ["cut short", place, { secret: sealed.secret!.slice(0, body + 8) }],
    ["empty", place, { secret: sealed.secret!.slice(0, body) }],
  ];
  test.each(moved)("%s", (_name, where, fields) => {
    expect(() => vault.open(where, fields)).toThrow(/cannot be opened \((hooks|buckets)\/.*field \w+\)/);
  });

  test("with another key", () => {
    const other = createVault(new Uint8Array(32).fill(2), secretsOf);
    expect(() => other.open(place, sealed)).toThrow(/cannot be opened/);
  });
});

test("fields without secrets are handed through as they are", () => {
  const fields = { a: 1, b: "x" };
  expect(vault.seal(place, fields, "webhook")).toBe(fields);
  expect(vault.open(place, fields)).toBe(fields);
  expect(plainVault.seal(place, config, "webhook")).toBe(config);
});

test("reports unsealed secrets", () => {
  expect(vault.isSealed(place, config, "webhook")).toBe(false);
  expect(vault.isSealed(place, vault.seal(place, config, "webhook"), "webhook")).toBe(true);
  expect(vault.isSealed(place, { text: "x" }, "webhook")).toBe(true);
});
