// SQL of tokens: digests by name, deleted all or none, uses recorded together.
import { beforeEach, expect, test } from "bun:test";
import { createToken, listTokens, markUsed, removeTokens, type TokenRow } from "../../src/store/tokens.ts";
import { breakAt, codeOf, useStore } from "./temporary.ts";

const store = useStore();
const row = (name: string): TokenRow => ({
  name,
  id: `id-${name}`,
  scope: "read",
  digest: `digest-${name}`,
  createdAt: 1000,
  lastUsedAt: null,
  expiresAt: null,
});

beforeEach(async () => {
  for (const name of ["b", "a"]) await createToken(store, row(name));
});

test("lists by name; a name is taken once, and so is a secret", async () => {
  expect(await listTokens(store)).toEqual([row("a"), row("b")]);
  expect(await codeOf(createToken(store, { ...row("a"), digest: "other" }))).toBe("already_exists");
  await expect(createToken(store, { ...row("c"), digest: "digest-a" })).rejects.toThrow();
  expect(await listTokens(store)).toHaveLength(2);
});

test("deletes all or none", async () => {
  expect(await codeOf(removeTokens(store, ["a", "x"]))).toBe("not_found");
  expect(await listTokens(store)).toHaveLength(2);
  await removeTokens(store, ["a", "b", "a"]);
  expect(await listTokens(store)).toEqual([]);
});

test("uses are recorded all or none; those of deleted tokens are skipped", async () => {
  const uses = new Map([
    ["id-a", 5000],
    ["id-gone", 5000],
    ["id-b", 6000],
  ]);
  const repair = await breakAt(store, "update on tokens", "old.name = 'b'");
  await expect(markUsed(store, uses)).rejects.toThrow();
  expect((await listTokens(store)).map(({ lastUsedAt }) => lastUsedAt)).toEqual([null, null]);
  await repair();
  await markUsed(store, uses);
  expect((await listTokens(store)).map(({ lastUsedAt }) => lastUsedAt)).toEqual([5000, 6000]);
});
