// Changes of requests: defaults, dates, and what is refused.
import { expect, test } from "bun:test";
import { checkChange } from "../../../src/core/changes/change.ts";

const nowAt = Date.parse("2026-01-31T12:00:00Z");
const messageOf = (body: unknown) => {
  try {
    return JSON.stringify(checkChange(body, nowAt, "0"));
  } catch (error) {
    return (error as Error).message;
  }
};

test("a title is enough", () => {
  const blank = { id: undefined, endAt: null, url: null, tags: {} };
  expect(checkChange({ title: "web 1.9.2" }, nowAt)).toEqual({
    ...{ ...blank, at: nowAt, kind: "deploy" },
    title: "web 1.9.2",
  });
});

test("halves of surrogate pairs are replaced, which PostgreSQL does not read", () => {
  const change = checkChange({ title: "a\ud800", tags: { "b\ud800": "c\ud800" } }, nowAt);
  expect(change).toMatchObject({ title: "a\ufffd", tags: { "b\ufffd": "c\ufffd" } });
});

test("dates are those of the API", () => {
  const change = checkChange({ title: "t", at: "now-5m", end: 1_769_860_800, kind: "flag" }, nowAt);
  expect(change).toMatchObject({ at: nowAt - 300_000, endAt: nowAt, kind: "flag" });
});

test.each([
  [{}, "0.title: is required"],
  [{ title: "" }, "0.title: must be one line of 1 to 256 characters"],
  [{ title: " " }, "0.title: must be one line of 1 to 256 characters"],
  [{ title: "a\nb" }, "0.title: must be one line"],
  [{ title: "t", kind: "a deploy" }, "0.kind: must be a word"],
  [{ title: "t", id: "web/7" }, "0.id: must be 1 to 128 letters"],
  [{ title: "t", at: "soon" }, "0.at: must be a date"],
  [
    { title: "t", at: 1_769_860_800_000 },
    "0.at: must be a date such as 2026-01-31T12:00:00Z, now or now-5m; a number is seconds since the epoch: divide",
  ],
  [{ title: "t", at: 1_769_860_800, end: 1_769_860_799 }, "0.end: must not be before at"],
  [{ title: "t", url: "javascript:alert(1)" }, "0.url: must be an address"],
  [
    { title: "t", url: "https://me:secret@ci/runs" },
    "0.url: must be an address of at most 2048 characters, without user",
  ],
  [{ title: "t", tags: { service: "x".repeat(257) } }, "0.tags.service: must be at most 32 texts by tag"],
  [{ title: "t", tags: { service: "a\0" } }, "0.tags.service: must be at most 32 texts by tag"],
  [{ title: "t", tags: { "a\0": "x" } }, "0.tags: must be at most 32 texts by tag"],
  [{ title: "t", url: "http://a/\0" }, "0.url: must be an address"],
  [{ title: "t", tags: { "": "x" } }, "0.tags: must be at most 32 texts by tag"],
  [{ title: "t", tags: ["service"] }, "0.tags: must be at most 32 texts by tag"],
  [{ title: "t", tag: {} }, "0.tag is unknown; did you mean tags?"],
])("%j is refused", (body, message) => {
  expect(messageOf(body)).toStartWith(message);
});
