// Judgement links: what they say is what was signed, and nothing else is read.
import { describe, expect, test } from "bun:test";
import { judgementActions, readLink, signLink } from "../../../src/core/access/judgement-link.ts";

const KEY = "key";
const anomaly = "0f6c1c9e-6d1f-4d7c-9a55-2a9f1b1d7c11";
const expiresAt = 1_800_000_000_000;

describe("a link", () => {
  test.each(judgementActions)("says what was signed: %s", (action) => {
    const text = signLink(KEY, { action, anomaly, expiresAt });
    expect(readLink(KEY, text)).toEqual({ action, anomaly, expiresAt });
    expect(text).toMatch(/^[\w.-]+$/);
    expect(text.length).toBeLessThan(100);
  });

  const text = signLink(KEY, { action: "noise", anomaly, expiresAt });
  test.each([
    ["of another action", text.replace("noise", "real")],
    ["of another anomaly", text.replace("0f6c", "1f6c")],
    ["that expires later", text.replace(/\.([0-9a-z]+)\.([\w-]{22})$/, ".zzzzzz.$2")],
    ["with another signature", `${text.slice(0, -2)}${text.endsWith("AA") ? "BB" : "AA"}`],
    ["that was cut off", text.slice(0, -1)],
    ["that is none", "noise"],
    ["of nothing", ""],
  ])("%s is not read", (_, other) => {
    expect(readLink(KEY, other)).toBeUndefined();
  });

  test("of another key is not read", () => {
    expect(readLink("other", text)).toBeUndefined();
  });
});
